"""Hears from the kernel that a file's name may lead elsewhere: by inotify, on Linux.

To ask whether there are such notices is one system call, and a third of what it takes to look up
two names. Whoever has the name hears only that they should look for themselves; without notices
they always should. That is so on other systems, where the kernel refuses them (there are limits,
and each folder has to be readable), and where another machine may rename files unheard.
"""

import errno
import os
import select
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

# From <linux/magic.h>. Disks of other machines, and what programs make up, are not among them.
# fmt: off
LOCAL = frozenset({
    0xEF53, 0x58465342, 0x9123683E, 0xF2F52010, 0x2FC12FC1, 0x01021994, 0x794C7630,
})
# fmt: on
"""File systems that tell of all that happens in them: ext, XFS, Btrfs, F2FS, ZFS, tmpfs, overlay.
"""

# From <sys/inotify.h>.
_ATTRIB = 0x4
"""Permissions, of a folder or of anything in it."""
_NAMES = 0x40 | 0x80 | 0x100 | 0x200
"""A name was moved away, moved to, created or deleted in a folder."""
_SELF = 0x400 | 0x800
"""A folder was itself deleted or moved."""
_ONLY_FOLDERS = 0x0100_0000
_NO_LINKS = 0x0200_0000
_MORE = 0x2000_0000
"""What is asked for is added to what was asked for of the same folder."""

_MOST_LINKS = 40
"""As many as the kernel follows."""
_STATFS_BYTES = 512
"""More than any system's `struct statfs` has; it begins with the kind of the file system."""


class NameWatch:
    """Hears of what may make `path`, which is absolute, lead to another file.

    That is: the names in its folder and in those of symbolic links on the way there, moves of all
    the folders on the way, mounts. Of changes in the file itself nothing is heard. It is for one
    thread.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._poll: Callable[[int], object] | None = None
        self._open = ExitStack()
        self._begin()

    @property
    def hears(self) -> bool:
        """Whether the kernel tells of changes; if not, there may always have been one."""
        return self._poll is not None

    def may_have_changed(self) -> bool:
        """Whether the name may lead elsewhere than when this was asked last, or at the beginning.

        A notice that comes from now on is for the next time. So look after asking.
        """
        if self._poll is None:
            return True
        if not self._poll(0):
            return False
        # What the notices say may be old, incomplete (the kernel drops what is too much) or the end
        # of a watch; and the way may be another one from now on.
        self._begin()
        return True

    def close(self) -> None:
        """Give the notices up."""
        self._poll = None
        self._open.close()

    def _begin(self) -> None:
        """Have the kernel tell of the folders that are on the way now; anew, if it does already."""
        self.close()
        if sys.platform == "linux":
            try:
                with ExitStack() as opened:
                    self._poll = self._told(opened)
                    if self._poll is not None:
                        self._open = opened.pop_all()
            # No such system call, no right to read a folder, no more watches, no /proc.
            except (OSError, AttributeError, ImportError):
                pass

    def _told(self, opened: ExitStack) -> Callable[[int], object] | None:
        """What says whether there are notices; None if not all of the file systems are `LOCAL`."""
        # Slow to import, and for no other system.
        import ctypes

        c = ctypes.CDLL(None, use_errno=True)

        def done(result: int) -> int:
            if result < 0:
                raise OSError(ctypes.get_errno(), "no notices")
            return result

        notices = done(c.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC))
        opened.callback(os.close, notices)
        mounts = os.open("/proc/self/mountinfo", os.O_RDONLY | os.O_CLOEXEC)
        opened.callback(os.close, mounts)
        wanted = _SELF | _ONLY_FOLDERS | _NO_LINKS | _MORE
        for folder, has_name in _way(self._path):
            name = os.fsencode(folder)
            kind = ctypes.create_string_buffer(_STATFS_BYTES)
            done(c.statfs(name, kind))
            if ctypes.c_long.from_buffer(kind).value not in LOCAL:
                return None
            also = _NAMES | _ATTRIB if has_name else 0
            done(c.inotify_add_watch(notices, name, wanted | also))
        poll = select.poll()
        poll.register(notices, select.POLLIN)
        # https://man7.org/linux/man-pages/man5/proc_pid_mounts.5.html: an error once they change.
        poll.register(mounts, select.POLLPRI)
        return poll.poll


def _way(path: Path) -> Iterator[tuple[Path, bool]]:
    """The folders on the way to `path`, the root first; whether a name in each decides the way.

    A link is read after its folder was taken, so what is changed while this goes on is heard of.
    """
    folder = Path(path.anchor)
    left = list(reversed(path.parts[1:]))
    links = 0
    while left:
        part = left.pop()
        there = folder / part
        is_link = there.is_symlink()
        yield folder, is_link or not left
        if part == "..":
            folder = folder.parent
        elif is_link:
            links += 1
            if links > _MOST_LINKS:
                raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
            target = there.readlink()
            if target.is_absolute():
                folder = Path(target.anchor)
            left += [name for name in reversed(target.parts) if name != target.anchor]
        else:
            folder = there
