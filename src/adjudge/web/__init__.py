"""The web application: pages for judges and organisers."""
