#!/usr/bin/env python3
"""The secrets of a cluster: `sudo .venv/bin/python deploy/cluster_secrets.py [FOLDER]`.

Makes an authority with certificates for the broker and the database, a password at the broker for
each process, the broker's access rules, and the passwords of the database and of Grafana. The
processes are those of `compose.cluster.yaml`; others are named by their roles:

    deploy/cluster_secrets.py FOLDER gateway,tables=n1,n2

A file that is there already is left as it is; the rules and the list of passwords at the broker are
written anew, so that another process is added by running it again with more names.
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
from server.bus.access import ROLES, accesses, mosquitto_lines

FOLDER = Path(__file__).with_name("secrets")
PREFIX = "blackqueen-bus"
MEMBERS = {role: (f"{role}-1", f"{role}-2") for role in ROLES}
SERVICES = ("broker", "database")
"""What has a certificate; it is for this name and `localhost` beside that in the network."""
DAYS = "3650"
ROUNDS = 101
"""As many as Mosquitto's own program takes."""
USERS = {"broker": 1883, "database": 999, "grafana": 472, "process": 10001}
"""Who reads a file in its container."""


class Secrets:
    """Writes secrets into `folder`, each for the user of one container."""

    def __init__(self, folder: Path, hosts: Mapping[str, str] | None = None) -> None:
        """`hosts` is how machines elsewhere call those of the broker and of the database."""
        self._folder = folder
        self._hosts = hosts or {}
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)

    def make(self, members: Mapping[str, Sequence[str]]) -> None:
        """Make what is missing for the processes `members`, their names by role."""
        rules = list(accesses(PREFIX, members))
        self._certificates()
        passwords = {rule.name: self._password(rule.name) for rule in rules}
        lines = (f"{name}:{hashed(password)}" for name, password in passwords.items())
        self._write("passwords", "".join(f"{line}\n" for line in lines), "broker")
        text = "".join(f"{line}\n" for line in mosquitto_lines(iter(rules)))
        self._write("acl", text, "broker")
        self._password("grafana", "grafana")
        password = self._password("database", "database")
        self._write("pgpass", f"*:*:*:*:{password}\n", "process")

    def _password(self, name: str, user: str = "process") -> str:
        path = self._folder / f"{name}.password"
        if not path.exists():
            self._write(path.name, token_urlsafe(24) + "\n", user)
        return path.read_text("utf-8").strip()

    def _certificates(self) -> None:
        ca, key = self._folder / "ca.crt", self._folder / "ca.key"
        if not ca.exists():
            usage = ("-addext", "keyUsage=critical,keyCertSign,cRLSign", "-subj", "/CN=blackqueen")
            self._openssl("-keyout", str(key), "-out", str(ca), *usage)
            self._own(ca, 0o444, "process")
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


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="The secrets of a cluster of blackqueen.")
    parser.add_argument(
        "words",
        nargs="*",
        metavar="FOLDER | ROLES=NAME,…",
        help=f"where the secrets are to be (default: {FOLDER}), and the names of all processes with"
        " these roles, as in gateway,tables=n1,n2",
    )
    for role, names in MEMBERS.items():
        usual = ",".join(names)
        text = f"the names of these processes (default: {usual}, if none are named by their roles)"
        parser.add_argument(f"--{role}", metavar="NAME,…", help=text)
    for service in SERVICES:
        text = f"how other machines call that of the {service}"
        parser.add_argument(f"--{service}-host", default=service, metavar="HOST", help=text)
    return parser


def main(words: Sequence[str] | None = None) -> int:
    """Make the secrets; the arguments are those of the command line."""
    parser = _parser()
    chosen = parser.parse_intermixed_args(words)
    folders = [word for word in chosen.words if "=" not in word] or [FOLDER]
    named: dict[str, list[str]] = {}
    for roles, _, names in (word.partition("=") for word in chosen.words if "=" in word):
        named.setdefault(roles, []).extend(names.split(","))
    given = {role: getattr(chosen, role).split(",") for role in ROLES if getattr(chosen, role)}
    if len(folders) > 1:
        parser.error(f"{folders[1]!r} is a second folder; processes are named as ROLES=NAME,…")
    if named and given:
        parser.error("name all processes by their roles, or some of them by flags")
    folder = Path(folders[0])
    hosts = {service: getattr(chosen, f"{service}_host") for service in SERVICES}
    try:
        Secrets(folder, hosts).make(named or {**MEMBERS, **given})
    except (OSError, ValueError) as error:
        complain("cluster_secrets", str(error))
        return 1
    say(f"The secrets are in {folder}; keep ca.key elsewhere.")
    if os.geteuid() != 0:
        say("For compose.cluster.yaml run this as root: each container has a user of its own.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
