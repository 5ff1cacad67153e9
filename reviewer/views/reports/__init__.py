"""The pages of reports. Each shows a stored result; what computes it runs in a worker."""
