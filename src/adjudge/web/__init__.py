"""Web application: pages for judges and organisers, and the demonstration."""
