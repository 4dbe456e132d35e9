"""Pictures beside those of the reference's own renderer."""
