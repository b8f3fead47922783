"""A notification that could not be delivered."""

from __future__ import annotations

from typing import Any, Self

from roclab.errors import RoclabError


class DeliveryError(RoclabError):
    """A notification could not be delivered; the message holds no URL, token or password.

    Parameters
    ----------
    retryable : bool
        Whether the same call may succeed later.
    retry_after : float, optional
        Seconds that the receiver asks to wait before the next attempt.
    **parts
        Parts and values of the message, see `roclab.errors.Message`.
    """

    def __init__(self, *, retryable: bool, retry_after: float | None = None, **parts: Any) -> None:
        self.retryable, self.retry_after = retryable, retry_after
        super().__init__(**parts)

    def about(self, subject: str) -> Self:
        """The same message, after what it is about."""
        return type(self)(
            retryable=self.retryable,
            retry_after=self.retry_after,
            found="{subject}: " + self.found,
            needed=self.needed,
            fix=self.fix,
            **(self.values | {"subject": subject}),
        )
