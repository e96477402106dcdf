"""What whoever runs the server needs: settings, the log, figures, and faults kept apart."""
