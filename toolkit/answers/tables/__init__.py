"""Tables and files of replies: rows in, rows out, in constant memory."""
