"""What outlives a process, in SQLite files of one folder: quotas and images."""

from webward.store.images import SqliteImageCache
from webward.store.quota import SqliteQuota

__all__ = ["SqliteImageCache", "SqliteQuota"]
