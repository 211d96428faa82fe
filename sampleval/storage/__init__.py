"""The only database I/O of the library: event logs are kept in a database, pools as Parquet files beside it."""

from sampleval.storage.complaints import Unavailable
from sampleval.storage.logs import DatabaseLog, Log, MemoryLog
from sampleval.storage.places import data_folder, data_url, pools_folder
from sampleval.storage.storage import Storage, StudyRecord

__all__ = [
    "DatabaseLog",
    "Log",
    "MemoryLog",
    "Storage",
    "StudyRecord",
    "Unavailable",
    "data_folder",
    "data_url",
    "pools_folder",
]
