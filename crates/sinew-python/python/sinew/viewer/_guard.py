"""A page that only those see who know its address: a token in it, and no other names for the machine."""

from __future__ import annotations

import hmac
import http
import secrets
import threading
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qs, urlsplit

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
_starting = threading.Lock()


class Guard:
    """Decides who may see the page.

    A request needs the token in its address or, once the page is open, in a cookie; and it must be addressed to one of the
    hosts that are known, which keeps out pages of others whose name was made to point here. Connections of the page itself
    must come from it.
    """

    def __init__(self, token: str, hosts: tuple[str, ...]) -> None:
        self._token = token
        self._hosts = hosts

    def refusal(self, path: str, headers: Any, port: int) -> http.HTTPStatus | None:
        """Why a request is refused; none if it is not."""
        host = headers.get("Host", "")
        if not any(host in (known, f"{known}:{port}") for known in self._hosts):
            return http.HTTPStatus.MISDIRECTED_REQUEST
        origin = headers.get("Origin")
        if origin is not None and urlsplit(origin).netloc != host:
            return http.HTTPStatus.FORBIDDEN
        if self.is_known(path) or self._has_cookie(headers, port):
            return None
        return http.HTTPStatus.FORBIDDEN

    def is_known(self, path: str) -> bool:
        """Whether an address has the token."""
        given = parse_qs(urlsplit(path).query).get("token", [""])[0]
        return not self._token or hmac.compare_digest(given.encode(), self._token.encode())

    def cookie(self, port: int) -> str:
        """What the browser is to bring along from now on."""
        return f"sinew_{port}={self._token}; HttpOnly; SameSite=Strict; Path=/"

    def _has_cookie(self, headers: Any, port: int) -> bool:
        try:
            found = SimpleCookie(headers.get("Cookie", "")).get(f"sinew_{port}")
        except CookieError:
            return False
        return found is not None and hmac.compare_digest(found.value.encode(), self._token.encode())


def new_token() -> str:
    """A token that nobody guesses."""
    return secrets.token_urlsafe(16)


def serve(host: str, port: int, token: str, hosts: tuple[str, ...], label: str) -> Any:
    """A server of viser's page behind a guard."""
    import viser
    import websockets.asyncio.server as sockets
    from websockets.http11 import Response

    guard = Guard(token, hosts)
    plain = sockets.serve

    def guarded(*arguments: Any, process_request: Any, **options: Any) -> Any:
        def answer(connection: Any, request: Any) -> Any:
            own = connection.local_address[1]
            status = guard.refusal(request.path, request.headers, own)
            if status is not None:
                return connection.respond(status, f"{status.phrase}: the address of this page has a token\n")
            answered = process_request(connection, request)
            if isinstance(answered, Response) and token and guard.is_known(request.path):
                answered.headers["Set-Cookie"] = guard.cookie(own)
            return answered

        return plain(*arguments, process_request=answer, **options)

    # viser has no place for this. Its server asks for the function once, while it is made.
    with _starting:
        sockets.serve = guarded
        try:
            return viser.ViserServer(host=host, port=port, label=label, verbose=False)
        finally:
            sockets.serve = plain
