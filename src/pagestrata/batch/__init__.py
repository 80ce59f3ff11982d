"""Many pages: killable workers and what they hand back."""
