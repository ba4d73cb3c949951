"""What a judgement, a score, an edit is: the tables and every file format."""
