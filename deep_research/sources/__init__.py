"""What can be searched, what was retrieved, and how it is cited."""
