"""The journal on SQLite: files, locks, group commits, views, the doctor that examines them, export and import."""

from .doctor import Finding, Report, examine
from .export import ExportReport, export_character
from .exported import Watch, ignore
from .importing import ImportReport, import_character
from .journal import SqliteJournal
from .journals import JournalStore, open_reader, open_store
from .outbox import op_id

__all__ = [
    "ExportReport",
    "Finding",
    "ImportReport",
    "JournalStore",
    "Report",
    "SqliteJournal",
    "Watch",
    "examine",
    "export_character",
    "ignore",
    "import_character",
    "op_id",
    "open_reader",
    "open_store",
]
