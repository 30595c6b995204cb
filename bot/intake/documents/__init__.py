"""The configs inside a paste: where they stand, and each read as one."""
