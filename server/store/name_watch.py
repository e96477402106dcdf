"""Hears from the kernel that a file's name may lead elsewhere: by inotify, on Linux.

To ask whether there are such notices is one system call, and a third of what it takes to look up
two names. Whoever has the name hears only that they should look for themselves; without notices
they always should. That is so on other systems, where the kernel refuses them (there are limits,
and each folder has to be readable), and where another machine may rename files unheard.
"""

import os
import select
import sys
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from struct import Struct

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
_NAMES = 0x40 | 0x80 | 0x100 | 0x200
"""A name was moved away, moved to, created or deleted in a folder."""
_SELF = 0x400 | 0x800
"""A folder was itself deleted or moved."""
_ONLY_FOLDERS = 0x0100_0000

_NOTICE = Struct("iIII")
"""A notice: which watch, what happened, a cookie, and the length of the name that follows."""
_READ_BYTES = 65_536
_STATFS_BYTES = 512
"""More than any system's `struct statfs` has; it begins with the kind of the file system."""


class NameWatch:
    """Hears of what may make `path` lead to another file; there is no symbolic link in it.

    That is: the names in its folder, moves of the folders on the way there, mounts. Of changes in
    the file itself nothing is heard. It is for one thread.
    """

    def __init__(self, path: Path) -> None:
        # The root first: what is moved while this begins is then heard of, or not on the way.
        self._folders = [os.fsencode(folder) for folder in reversed(path.parents)]
        self._notices = -1
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
        if not self._is_still_on_the_way():
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

        self._notices = done(c.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC))
        opened.callback(os.close, self._notices)
        mounts = os.open("/proc/self/mountinfo", os.O_RDONLY | os.O_CLOEXEC)
        opened.callback(os.close, mounts)
        wanted = _SELF | _ATTRIB | _ONLY_FOLDERS
        for folder in self._folders:
            found = ctypes.create_string_buffer(_STATFS_BYTES)
            done(c.statfs(folder, found))
            if ctypes.c_long.from_buffer(found).value not in LOCAL:
                return None
            names = _NAMES if folder == self._folders[-1] else 0
            done(c.inotify_add_watch(self._notices, folder, wanted | names))
        poll = select.poll()
        poll.register(self._notices, select.POLLIN)
        # https://man7.org/linux/man-pages/man5/proc_pid_mounts.5.html: an error once they change.
        poll.register(mounts, select.POLLPRI)
        return poll.poll

    def _is_still_on_the_way(self) -> bool:
        """Whether all notices are of names in the folders, which themselves are where they were.

        What says no: a folder that was moved or deleted, a watch that ended, notices that were
        dropped because there were too many, or a mount, of which there is no notice to read.
        """
        try:
            told = os.read(self._notices, _READ_BYTES)
        except BlockingIOError:
            return False
        at = 0
        while at < len(told):
            *_, length = _NOTICE.unpack_from(told, at)
            # Only what happens to a name in a folder has a name.
            if not length:
                return False
            at += _NOTICE.size + length
        return True
