"""Why no server answers, in a few words: the driver wraps the cause in errors of its own."""

import ssl


def reason_of(error: BaseException, *, is_private: bool) -> str | None:
    """The innermost cause of a connection that failed; None where it says nothing of its own.

    Args:
        error: What the driver raised.
        is_private: Whether the server is the private one, whose certificate alone is accepted.
    """
    cause = _innermost(error)
    if isinstance(cause, ssl.SSLCertVerificationError):
        remedy = "" if is_private else "; +ssc instead of +s in the scheme accepts any"
        return f"its certificate is not trusted: {cause.verify_message}{remedy}"
    if isinstance(cause, ssl.SSLError):
        details = (cause.reason or "no reason given").replace("_", " ").lower()
        return f"TLS, which +s and +ssc in the scheme ask for, failed: {details}"
    if isinstance(cause, OSError):
        return cause.strerror or str(cause) or None
    if "looks like HTTP" in str(cause):
        return "this port speaks HTTP, not Bolt, whose port is 7687 by default"
    return None


def _innermost(error: BaseException) -> BaseException:
    while True:
        if isinstance(error, BaseExceptionGroup):
            cause: BaseException | None = error.exceptions[0]
        else:
            cause = error.__cause__ or error.__context__
        if cause is None:
            return error
        error = cause
