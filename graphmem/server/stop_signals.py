"""The signals that end a server as a whole, whatever it speaks over."""

import signal

STOP_SIGNALS = (signal.SIGTERM, signal.SIGINT)
