"""Work on the store while its server is stopped: backups, their files, a lost password."""
