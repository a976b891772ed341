"""The characters: a kernel that runs actors, and a room for each role."""
