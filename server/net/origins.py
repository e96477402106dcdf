"""Which web pages may play here, and under which names the server answers.

A browser lets any page open a WebSocket to any server, also to one on localhost or in the same
network, and says in `Origin` where the page came from. A page passes if it came

- from the `public_url` of the settings,
- from this machine to a node that has its own address there, or
- from this very server, as the browser names it in `Host`, if that is an IP address, a name
  without a dot, as local networks have them, or one of `allowed_hosts`. The owner of any other name
  may have made it lead here (DNS rebinding), so that its page and its Host agree.

Programs send no Origin and pass; nobody can be made to run one by visiting a page.
"""

from collections.abc import Sequence
from ipaddress import ip_address
from urllib.parse import urlsplit

from protocol.same_server import is_this_machine
from server.ops.public_url import PORTS, PublicUrl


class Origins:
    """The allowed origins and hosts; `public` is None if the settings have no public URL.

    `node` is the address that leads to this server alone, None if there is none. Nodes that have
    theirs on the machine itself (`are_here`) have ports of their own, and the page of one goes to
    the others.
    """

    def __init__(
        self,
        public: PublicUrl | None,
        allowed_hosts: Sequence[str],
        node: PublicUrl | None = None,
    ) -> None:
        self._public = public
        self._node = "" if node is None else node.path
        self.are_here = node is not None and is_this_machine(node.host)
        self._allowed = {_named(host) for host in allowed_hosts}

    def may_play(self, origins: Sequence[str], hosts: Sequence[str]) -> bool:
        """Whether a handshake with these Origin and Host headers may become a connection."""
        if not origins:
            return True
        origin = _origin(origins[0]) if len(origins) == 1 else None
        if origin is None:
            return False
        scheme, name, port = origin
        public = self._public
        if public is not None and origin == (public.scheme, public.host, public.port):
            return True
        host = _host(hosts[0]) if len(hosts) == 1 else None
        if host is None or not self._is_own(name):
            return False
        if self.are_here and is_this_machine(name) and is_this_machine(host[0]):
            return True
        return host == (name, port) or (host == (name, None) and port == PORTS[scheme])

    def may_read(self, hosts: Sequence[str]) -> bool:
        """Whether a page may be requested under this Host; an old program may send none."""
        if not hosts:
            return True
        host = _host(hosts[0]) if len(hosts) == 1 else None
        if host is None:
            return False
        name, public = host[0], self._public
        return self._is_own(name) or (public is not None and name == public.host)

    def page(self, target: str) -> str:
        """Return the path of a page, without the public URL's path if it has that."""
        path = target.partition("?")[0]
        for prefix in (self._node, "" if self._public is None else self._public.path):
            if _is_below(path, prefix):
                return path[len(prefix) :] or "/"
        return path or "/"

    def is_of_node(self, target: str) -> bool:
        """Whether a page is requested by the path that leads to this server alone."""
        return _is_below(target.partition("?")[0], self._node)

    def entry(self, target: str) -> str:
        """Return the path and query, for any node, of a page requested by this node's path."""
        root = "" if self._public is None else self._public.path
        _, mark, query = target.partition("?")
        return f"{root}{self.page(target)}{mark}{query}"

    def root(self, target: str, hosts: Sequence[str]) -> str:
        """Return the path below which a browser sees the pages; it ends in a slash.

        Some proxies remove the public URL's path, so the requested name decides first.
        """
        if self.is_of_node(target):
            return f"{self._node}/"
        public = self._public
        if public is None or not public.path:
            return "/"
        host = _host(hosts[0]) if len(hosts) == 1 else None
        path = target.partition("?")[0]
        if (host is not None and host[0] == public.host) or path != self.page(target):
            return f"{public.path}/"
        return "/"

    def _is_own(self, name: str) -> bool:
        # A name without a dot, such as `localhost`, is nobody's to make lead here.
        return "." not in name or name in self._allowed or _is_address(name)


def _is_below(path: str, prefix: str) -> bool:
    return bool(prefix) and (path == prefix or path.startswith(f"{prefix}/"))


def _origin(text: str) -> tuple[str, str, int] | None:
    """Return scheme, host and port of a page's origin; None for `null` and invalid origins."""
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        return None
    if parts.scheme not in ("http", "https") or not parts.hostname or "@" in parts.netloc:
        return None
    if parts.path or parts.query or parts.fragment:
        return None
    return parts.scheme, parts.hostname, port or PORTS[parts.scheme]


def _host(text: str) -> tuple[str, int | None] | None:
    try:
        parts = urlsplit(f"//{text}")
        port = parts.port
    except ValueError:
        return None
    if not parts.hostname or parts.netloc != text or "@" in text:
        return None
    return parts.hostname, port


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def _named(host: str) -> str:
    """Return the name of a host, also from the address of a page there."""
    return (urlsplit(host if "//" in host else f"//{host}").hostname or host).rstrip(".")
