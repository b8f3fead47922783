"""Which addresses are refused, in all their forms."""

from ipaddress import ip_address

import pytest

from roclab.monitor.delivery.addresses import scope_of

FORBIDDEN = {
    "0.0.0.0": "unspecified",
    "0.1.2.3": "unspecified",
    "::": "unspecified",
    "169.254.169.254": "metadata",
    "169.254.170.2": "metadata",
    "169.254.170.23": "metadata",
    "100.100.100.200": "metadata",
    "168.63.129.16": "metadata",
    "192.0.0.192": "metadata",
    "fd00:ec2::254": "metadata",
    "fd00:ec2::23": "metadata",
    "fd00:ec2::254%eth0": "metadata",
    "fd20:ce::254": "metadata",
    "169.254.0.1": "link-local",
    "fe80::1": "link-local",
    "fe80::1%eth0": "link-local",
    "224.0.0.1": "multicast",
    "ff02::1": "multicast",
    "255.255.255.255": "reserved",
    "240.0.0.1": "reserved",
    "192.0.2.1": "reserved",
    "198.18.0.1": "reserved",
    "2001:db8::1": "reserved",
    "2001::1": "reserved",  # Teredo
    "fec0::1": "reserved",  # site-local
    "::7f00:1": "reserved",  # IPv4-compatible
    "64:ff9b:1::a00:1": "reserved",  # NAT64 of a site
    "::ffff:127.0.0.1": "loopback",
    "::ffff:169.254.169.254": "metadata",
    "::ffff:0.0.0.0": "unspecified",
    "64:ff9b::127.0.0.1": "loopback",
    "64:ff9b::169.254.169.254": "metadata",
    "2002:7f00:1::": "loopback",  # 6to4
    "2002:a9fe:a9fe::": "metadata",
}
PRIVATE = [
    *("10.0.0.1", "10.255.255.255", "172.16.0.1", "172.31.255.255", "192.168.1.1"),
    *("100.64.0.1", "100.127.255.254", "fc00::1", "fd12:3456::1"),
    *("::ffff:10.0.0.1", "::ffff:192.168.0.1", "64:ff9b::10.0.0.1", "2002:c0a8:101::"),
]
PUBLIC = [
    *("1.1.1.1", "9.255.255.255", "11.0.0.0", "172.15.255.255", "172.32.0.0", "192.167.255.255"),
    *("100.63.255.255", "100.128.0.0", "223.255.255.255", "2606:4700::1111", "2a00:1450::1"),
    *("::ffff:1.1.1.1", "64:ff9b::1.1.1.1"),
]


@pytest.mark.parametrize(("text", "words"), FORBIDDEN.items())
def test_addresses_that_no_setting_allows(text, words):
    scope, found = scope_of(ip_address(text))
    assert scope == "forbidden"
    assert words in found


@pytest.mark.parametrize("text", PRIVATE)
def test_addresses_of_private_networks(text):
    assert scope_of(ip_address(text))[0] == "private"


@pytest.mark.parametrize("text", PUBLIC)
def test_public_addresses(text):
    assert scope_of(ip_address(text)) == ("public", "a public address")


@pytest.mark.parametrize("text", ["127.0.0.1", "127.255.255.254", "::1"])
def test_loopback_has_no_other_forms(text):
    assert scope_of(ip_address(text))[0] == "loopback"
