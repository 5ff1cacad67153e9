"""Files that members bring: to a file of the system as they come in, and no more of them than may be kept."""

from django.core.files.uploadhandler import StopUpload, TemporaryFileUploadHandler
from django.http import HttpRequest

from memory.mine.bringing import LARGEST


class Limited(TemporaryFileUploadHandler):
    """Stops keeping at the limit; `is_too_large` says so."""

    def __init__(self, request: HttpRequest | None = None) -> None:
        super().__init__(request)
        self.is_too_large = False

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:
        """The next of the bytes, which begin at `start`."""
        if start + len(raw_data) > LARGEST:
            self.is_too_large = True
            raise StopUpload
        super().receive_data_chunk(raw_data, start)
