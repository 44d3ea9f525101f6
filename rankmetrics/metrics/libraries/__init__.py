"""What each library computes, as data: one file per library."""
