#!/usr/bin/env python3
"""The secrets of several nodes: `sudo .venv/bin/python deploy/cluster_secrets.py [FOLDER]`.

Makes an authority with certificates for the database and the broker of public events, the password
of the database and that of Grafana, and at the broker one for all nodes and one for readers, with
its access rules. Passwords and certificates that are there already stay.
"""

import argparse
import os
import subprocess
import sys
from base64 import b64encode
from collections.abc import Mapping, Sequence
from hashlib import pbkdf2_hmac
from pathlib import Path
from secrets import token_bytes, token_urlsafe

from protocol.safe_text import complain, say

FOLDER = Path(__file__).with_name("secrets")
PREFIX = "blackqueen"
"""What the topics of public events begin with."""
RIGHTS = {"nodes": "readwrite", "reader": "read"}
"""The users of the broker, and what each may do below the prefix."""
SERVICES = ("broker", "database")
"""What has a certificate; it is for this name and `localhost` beside that in the network."""
DAYS = "3650"
ROUNDS = 101
"""As many as Mosquitto's own program takes."""
USERS = {"broker": 1883, "database": 999, "grafana": 472, "node": 10001}
"""Who reads a file in its container."""


class Secrets:
    """Writes secrets into `folder`, each for the user of one container."""

    def __init__(self, folder: Path, hosts: Mapping[str, str] | None = None) -> None:
        """`hosts` is how machines elsewhere call those of the broker and of the database."""
        self._folder = folder
        self._hosts = hosts or {}
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)

    def make(self) -> None:
        """Make what is missing."""
        self._certificates()
        lines = (f"{user}:{hashed(self._password(user))}\n" for user in RIGHTS)
        self._write("passwords", "".join(lines), "broker")
        rules = (f"user {user}\ntopic {may} {PREFIX}/#\n" for user, may in RIGHTS.items())
        self._write("acl", "".join(rules), "broker")
        self._password("grafana", "grafana")
        password = self._password("database", "database")
        self._write("pgpass", f"*:*:*:*:{password}\n", "node")

    def _password(self, name: str, user: str = "node") -> str:
        path = self._folder / f"{name}.password"
        if not path.exists():
            self._write(path.name, token_urlsafe(24) + "\n", user)
        return path.read_text("utf-8").strip()

    def _certificates(self) -> None:
        ca, key = self._folder / "ca.crt", self._folder / "ca.key"
        if not ca.exists():
            usage = ("-addext", "keyUsage=critical,keyCertSign,cRLSign", "-subj", "/CN=blackqueen")
            self._openssl("-keyout", str(key), "-out", str(ca), *usage)
            self._own(ca, 0o444, "node")
        for name in SERVICES:
            certificate, own = self._folder / f"{name}.crt", self._folder / f"{name}.key"
            if certificate.exists():
                continue
            signed = ("-CA", str(ca), "-CAkey", str(key), "-addext", "basicConstraints=CA:FALSE")
            names = dict.fromkeys((name, "localhost", self._hosts.get(name, name)))
            listed = ",".join(f"DNS:{each}" for each in names)
            subject = ("-subj", f"/CN={name}", "-addext", f"subjectAltName={listed}")
            self._openssl("-keyout", str(own), "-out", str(certificate), *signed, *subject)
            self._own(certificate, 0o444, name)
            self._own(own, 0o400, name)

    def _openssl(self, *words: str) -> None:
        made = ("-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")
        run = subprocess.run(
            ["openssl", "req", *made, "-days", DAYS, *words], capture_output=True, text=True
        )
        if run.returncode:
            raise OSError(f"openssl: {run.stderr.strip()}")

    def _write(self, name: str, text: str, user: str) -> None:
        path = self._folder / name
        path.unlink(missing_ok=True)
        path.touch(mode=0o600)
        path.write_text(text, "utf-8")
        self._own(path, 0o400, user)

    def _own(self, path: Path, mode: int, user: str) -> None:
        path.chmod(mode)
        if os.geteuid() == 0:
            os.chown(path, USERS[user], USERS[user])


def hashed(password: str) -> str:
    """A password as Mosquitto keeps it: `$7$`, rounds, salt, and PBKDF2 with SHA-512."""
    salt = token_bytes(12)
    key = pbkdf2_hmac("sha512", password.encode(), salt, ROUNDS)
    return f"$7${ROUNDS}${b64encode(salt).decode()}${b64encode(key).decode()}"


def main(words: Sequence[str] | None = None) -> int:
    """Make the secrets; the arguments are those of the command line."""
    parser = argparse.ArgumentParser(description="The secrets of several nodes of blackqueen.")
    parser.add_argument(
        "folder",
        nargs="?",
        type=Path,
        default=FOLDER,
        help="where the secrets are to be (default: %(default)s)",
    )
    for service in SERVICES:
        text = f"how other machines call that of the {service}"
        parser.add_argument(f"--{service}-host", default=service, metavar="HOST", help=text)
    chosen = parser.parse_args(words)
    hosts = {service: getattr(chosen, f"{service}_host") for service in SERVICES}
    try:
        Secrets(chosen.folder, hosts).make()
    except OSError as error:
        complain("cluster_secrets", str(error))
        return 1
    say(f"The secrets are in {chosen.folder}; keep ca.key elsewhere.")
    if os.geteuid() != 0:
        say("For compose.cluster.yaml run this as root: each container has a user of its own.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
