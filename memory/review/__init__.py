"""What people do about memory: draw samples and label them, settle, promote, audit, report."""
