"""The journal on SQLite: files, locks, group commits and views."""

from .journal import SqliteJournal
from .journals import JournalStore, open_reader, open_store
from .outbox import op_id

__all__ = [
    "JournalStore",
    "SqliteJournal",
    "op_id",
    "open_reader",
    "open_store",
]
