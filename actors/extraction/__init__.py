"""The extraction role (Stage 1): turns become candidate facts."""
