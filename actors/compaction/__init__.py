"""The compaction role: what is kept in mind of turns that leave the recent window."""
