"""Mail: text and HTML, by SMTP."""

from __future__ import annotations

import contextlib
import hashlib
import html
import io
import smtplib
import socket
import ssl
from dataclasses import dataclass, field
from email import policy
from email.message import EmailMessage
from email.utils import formatdate
from typing import Any

from roclab.monitor.delivery.connection import (
    Deadline,
    DeadlineReader,
    connect,
    system_addresses,
)
from roclab.monitor.delivery.message import DeliveryError, Notification, cut
from roclab.monitor.delivery.settings import MailSecurity

_SUBJECT = 200
_COLORS = {"alarm": "#b3261e", "warning": "#8a5a00"}


@dataclass(frozen=True, kw_only=True)
class MailChannel:
    """Sends a notification to all recipients in one message."""

    name: str
    host: str
    port: int
    to: tuple[str, ...]
    sender: str
    tls: MailSecurity = "starttls"
    user: str | None = field(default=None, repr=False)
    password: str | None = field(default=None, repr=False)
    deadline: float = 10.0
    context: ssl.SSLContext | None = None

    def send(self, notification: Notification, *, attempt_id: str) -> None:
        """Deliver one notification."""
        message = mail(notification, sender=self.sender, to=self.to, attempt_id=attempt_id)
        server = _Server(self, Deadline(self.deadline))
        failure = None
        try:
            server.open()
            refused = server.send_message(message, self.sender, list(self.to))
            with contextlib.suppress(smtplib.SMTPException, OSError):
                server.quit()
            if refused:
                failure = self._refused_recipients(refused)
        except (smtplib.SMTPException, OSError, UnicodeError) as error:
            failure = self._failure(error)
        finally:
            server.close()
        # Raised here, not where it was found: so neither what the server said nor a password that
        # could not be encoded is its context.
        if failure is not None:
            raise failure

    def _failure(self, error: Exception) -> DeliveryError:
        """An error of the protocol as ours; what the server said is not shown."""
        if isinstance(error, smtplib.SMTPRecipientsRefused):
            return self._refused_recipients(error.recipients)
        if isinstance(error, smtplib.SMTPAuthenticationError):
            return self._failed(
                "refused user or password (status {status})",
                fix="Check the user and the password of this channel.",
                retryable=400 <= error.smtp_code < 500,
                status=error.smtp_code,
            )
        if isinstance(error, smtplib.SMTPResponseException):
            return self._failed(
                "refused the mail with status {status}",
                fix="Check sender, recipients and login of the channel.",
                retryable=not 500 <= error.smtp_code < 600,
                status=error.smtp_code,
            )
        # The base class itself: no way to log in that both know.
        if isinstance(error, smtplib.SMTPNotSupportedError) or type(error) is smtplib.SMTPException:
            return self._failed(
                "does not offer what the channel needs (STARTTLS or login)",
                fix='Set tls = "tls" for a port that encrypts from the beginning, such as 465.',
                retryable=False,
            )
        if isinstance(error, ssl.SSLCertVerificationError):
            return self._failed(
                "has a certificate that is not valid for it ({reason})",
                fix="Nothing was sent. Check host; for an authority of your own set SSL_CERT_FILE.",
                retryable=True,
                reason=error.verify_message,
            )
        if isinstance(error, UnicodeError):
            return self._failed(
                "needs a login in ASCII, and user or password have other letters",
                fix="Set a password of ASCII letters.",
                retryable=False,
            )
        # smtplib says of a deadline that the connection was closed.
        if isinstance(error, TimeoutError) or isinstance(error.__context__, TimeoutError):
            return self._failed(
                "has not answered within {seconds} seconds",
                fix="Check host, port and tls.",
                retryable=True,
                seconds=f"{self.deadline:g}",
            )
        return self._failed(
            "cannot be reached, or ended the connection",
            fix="Check host, port and tls.",
            retryable=True,
        )

    def _refused_recipients(self, refused: dict[str, Any]) -> DeliveryError:
        codes = [int(code) for code, _ in refused.values()]
        return self._failed(
            "refused {count} of {all} recipients (status {codes})",
            fix="Check the addresses in to.",
            retryable=any(not 500 <= code < 600 for code in codes),
            count=len(refused),
            all=len(self.to),
            codes=", ".join(map(str, sorted(set(codes)))),
        )

    def _failed(self, found: str, *, fix: str, retryable: bool, **values: Any) -> DeliveryError:
        return DeliveryError(
            found="The mail server {host} " + found,
            fix=fix,
            retryable=retryable,
            host=self.host,
            **values,
        )


class _Server(smtplib.SMTP):
    """A conversation with a mail server that ends at a deadline."""

    def __init__(self, channel: MailChannel, deadline: Deadline) -> None:
        self._channel, self._deadline = channel, deadline
        # Its own name is not looked up in the DNS, which may be slow.
        name = socket.gethostname()
        super().__init__(local_hostname=name if "." in name else "[127.0.0.1]")

    def open(self) -> None:
        """Connect, encrypt and log in."""
        channel = self._channel
        self._host = channel.host  # the name that STARTTLS verifies
        code, answer = self.connect(channel.host, channel.port)
        if code != 220:
            raise smtplib.SMTPConnectError(code, answer)
        if channel.tls == "starttls":
            self.starttls(context=self._context())
        if channel.user is not None and channel.password is not None:
            self.login(channel.user, channel.password)

    def _get_socket(self, host: str, port: int, timeout: float) -> socket.socket:  # noqa: ARG002
        sock = connect(system_addresses(host, port), port, self._deadline)
        sock.settimeout(self._deadline.left())
        if self._channel.tls != "tls":
            return sock
        try:
            return self._context().wrap_socket(sock, server_hostname=host)
        except BaseException:
            sock.close()
            raise

    def _context(self) -> ssl.SSLContext:
        return self._channel.context or ssl.create_default_context()

    def getreply(self) -> tuple[int, bytes]:
        """The next answer."""
        if self.file is None and self.sock is not None:
            self.file = io.BufferedReader(DeadlineReader(self.sock, self._deadline))
        return super().getreply()

    def send(self, s: Any) -> None:
        """Send a command or the message."""
        if self.sock is not None:
            self.sock.settimeout(self._deadline.left())
        super().send(s)


def mail(
    notification: Notification, *, sender: str, to: tuple[str, ...], attempt_id: str
) -> EmailMessage:
    """The message: text, and the same as HTML."""
    safe = notification.cleaned()
    message = EmailMessage(policy=policy.SMTP)
    message["Subject"] = cut(f"[roclab] {safe.headline}", _SUBJECT)
    message["From"] = sender
    message["To"] = ", ".join(to)
    message["Date"] = formatdate()
    domain = sender.rpartition("@")[2]
    # The same for each attempt, so that mailboxes drop repetitions; the same thread for an alert.
    message["Message-ID"] = f"<{_hash(attempt_id)}@{domain}>"
    message["References"] = f"<{_hash(safe.key)}@{domain}>"
    message["Auto-Submitted"] = "auto-generated"
    message.set_content(_plain(safe), cte="base64")
    message.add_alternative(_html(safe), subtype="html", cte="base64")
    return message


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:40]


def _plain(safe: Notification) -> str:
    facts = [f"{label}: {value}" for label, value in safe.facts]
    rows = [safe.headline, "", safe.text, "", *facts, f"Stream: {safe.stream}"]
    rows += [f"Since: {safe.since}", *([f"Page: {safe.link}"] if safe.link else [])]
    return "\n".join(rows) + "\n"


def _html(safe: Notification) -> str:
    color = _COLORS[safe.severity] if safe.kind == "firing" else "#1c1d1f"
    facts = [*safe.facts, ("Stream", safe.stream), ("Since", safe.since)]
    rows = "".join(
        f'<tr><td style="padding:2px 16px 2px 0;color:#5b6068">{html.escape(label)}</td>'
        f"<td>{html.escape(value)}</td></tr>"
        for label, value in facts
    )
    link = f'<p><a href="{html.escape(safe.link)}">Open the page</a></p>' if safe.link else ""
    text = html.escape(safe.text).replace("\n", "<br>")
    return (
        '<!DOCTYPE html><html lang="en"><body style="font:15px sans-serif;color:#1c1d1f">'
        f'<h1 style="font-size:19px;color:{color}">{html.escape(safe.headline)}</h1>'
        f"<p>{text}</p><table>{rows}</table>{link}</body></html>\n"
    )
