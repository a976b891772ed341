"""The journal on SQLite: files, locks, group commits, views, the doctor, export, import and erasing."""

from .doctor import Finding, Report, examine
from .erasing import ErasureReport
from .export import ExportReport, export_character
from .exported import Watch, ignore
from .files import check_data_dir
from .importing import ImportReport, import_character, stored_already
from .journal import SqliteJournal
from .journals import JournalStore, is_stored, open_reader, open_store
from .names import POOL
from .removal import pool_holds, pool_keeps, preview
from .tombstones import Tombstone

__all__ = [
    "POOL",
    "ErasureReport",
    "ExportReport",
    "Finding",
    "ImportReport",
    "JournalStore",
    "Report",
    "SqliteJournal",
    "Tombstone",
    "Watch",
    "check_data_dir",
    "examine",
    "export_character",
    "ignore",
    "import_character",
    "is_stored",
    "open_reader",
    "open_store",
    "pool_holds",
    "pool_keeps",
    "preview",
    "stored_already",
]
