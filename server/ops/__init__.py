"""Operations: settings, the log, metrics, and the isolation of faults."""
