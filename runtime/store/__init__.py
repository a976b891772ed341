"""The journal on SQLite: files, locks, group commits, views, and the doctor that examines them."""

from .doctor import Finding, Report, examine
from .journal import SqliteJournal
from .journals import JournalStore, open_reader, open_store
from .outbox import op_id

__all__ = [
    "Finding",
    "JournalStore",
    "Report",
    "SqliteJournal",
    "examine",
    "op_id",
    "open_reader",
    "open_store",
]
