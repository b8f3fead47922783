"""Which addresses a delivery may connect to.

A URL in a configuration must not turn the monitor into a way into the network that it runs in:
services of the host, of a private network, or of the cloud that hands out credentials
(169.254.169.254). Tables are spelled out, since `ipaddress` classifies differently in different
versions of Python.
"""

from __future__ import annotations

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_network
from typing import Literal

Address = IPv4Address | IPv6Address
Scope = Literal["public", "private", "loopback", "forbidden"]

# The first that contains an address counts.
_KINDS: tuple[tuple[str, Scope, tuple[str, ...]], ...] = (
    (
        "the metadata service of a cloud",
        "forbidden",
        (
            *("169.254.169.254/32", "169.254.170.2/32", "169.254.170.23/32", "fd00:ec2::/32"),
            *("fd20:ce::254/128", "100.100.100.200/32", "168.63.129.16/32", "192.0.0.192/32"),
        ),
    ),
    ("an unspecified address", "forbidden", ("0.0.0.0/8", "::/128")),
    ("a loopback address", "loopback", ("127.0.0.0/8", "::1/128")),
    (
        "a private address",
        "private",
        ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"),
    ),
    ("a shared address of a provider (100.64.0.0/10)", "private", ("100.64.0.0/10",)),
    ("a link-local address", "forbidden", ("169.254.0.0/16", "fe80::/10")),
    ("a multicast address", "forbidden", ("224.0.0.0/4", "ff00::/8")),
    (
        "a reserved address",
        "forbidden",
        (
            *("192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "198.18.0.0/15"),
            *("198.51.100.0/24", "203.0.113.0/24", "240.0.0.0/4"),
            *("2001::/23", "2001:db8::/32", "3fff::/20"),
        ),
    ),
)
_NETWORKS: tuple[tuple[IPv4Network | IPv6Network, str, Scope], ...] = tuple(
    (ip_network(text), words, scope) for words, scope, texts in _KINDS for text in texts
)
_GLOBAL_UNICAST = IPv6Network("2000::/3")
_NAT64 = IPv6Network("64:ff9b::/96")


def scope_of(address: Address) -> tuple[Scope, str]:
    """The scope of an address, and what it is in words.

    An IPv6 address that carries an IPv4 address (mapped, NAT64, 6to4) is what that one is; but no
    such form counts as loopback.
    """
    inner = _embedded(address)
    if inner is not None:
        scope, words = scope_of(inner)
        return ("forbidden" if scope == "loopback" else scope), words
    for network, words, scope in _NETWORKS:
        if address.version == network.version and address in network:
            return scope, words
    if isinstance(address, IPv6Address) and address not in _GLOBAL_UNICAST:
        return "forbidden", "a reserved address"
    return "public", "a public address"


def _embedded(address: Address) -> IPv4Address | None:
    if isinstance(address, IPv4Address):
        return None
    if address in _NAT64:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    return address.ipv4_mapped or address.sixtofour
