"""A sandbox: after `confine()` a process may only compute, read the code, and answer.

`confine()` irrevocably takes from this process: the network, all files but the code and the
libraries, writing, new processes, signals to other processes, and their memory. The kernel enforces
it: Landlock for files, a seccomp filter for system calls. No privileges are needed.

References: landlock(7), seccomp(2), prctl(2); numbers of system calls from the kernel's unistd.h.
"""

from __future__ import annotations

import ctypes
import os
import platform
import resource
import struct
import sys
from collections.abc import Iterable
from pathlib import Path

import landlockpy
from landlockpy import AccessFS, Ruleset, Scope

ROOT = Path(__file__).resolve().parent.parent.parent
# Packages of the project that readers import late. Never the data folder, which may be beside them.
CODE = ("checks", "papers", "compliance")
# Shared libraries, time zones, fonts, and the number of processors.
SYSTEM = (
    "/lib",
    "/lib64",
    "/usr/lib",
    "/usr/lib64",
    "/usr/local/lib",
    "/usr/share",
    # PDFium draws with the fonts of the machine where a document has none of its own.
    "/usr/local/share/fonts",
    "/etc/ld.so.cache",
    "/dev/urandom",
    "/sys/devices/system/cpu",
)
READ = AccessFS.READ_FILE | AccessFS.READ_DIR
# Libraries open their own data files. More open files than this indicate a fault.
MOST_FILES = 256

_EPERM = 1
_ENOSYS = 38
_CLONE_THREAD = 0x10000
_PR_SET_PDEATHSIG = 1
_PR_GET_SECCOMP = 21
_PR_SET_SECCOMP = 22
_PR_SET_NO_NEW_PRIVS = 38
_SECCOMP_MODE_FILTER = 2
_SIGKILL = 9

# Refused system calls by name: (number on x86_64, number on aarch64). None: the architecture does
# not have it.
REFUSED: dict[str, tuple[int | None, int | None]] = {
    # The network, and sockets of this machine.
    "socket": (41, 198),
    "socketpair": (53, 199),
    "connect": (42, 203),
    "bind": (49, 200),
    "listen": (50, 201),
    "accept": (43, 202),
    "accept4": (288, 242),
    "sendto": (44, 206),
    "recvfrom": (45, 207),
    "sendmsg": (46, 211),
    "recvmsg": (47, 212),
    "sendmmsg": (307, 269),
    "recvmmsg": (299, 243),
    # New programs and processes. Threads are allowed: see _clone().
    "fork": (57, None),
    "vfork": (58, None),
    "execve": (59, 221),
    "execveat": (322, 281),
    # Other processes.
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "tkill": (200, 130),
    "rt_sigqueueinfo": (129, 138),
    "rt_tgsigqueueinfo": (297, 240),
    "pidfd_open": (434, 434),
    "pidfd_send_signal": (424, 424),
    "pidfd_getfd": (438, 438),
    "process_madvise": (440, 440),
    "process_mrelease": (448, 448),
    "kcmp": (312, 272),
    "get_robust_list": (274, 100),
    "migrate_pages": (256, 238),
    "move_pages": (279, 239),
    # They slow other processes of this user down.
    "setpriority": (141, 140),
    "ioprio_set": (251, 30),
    "sched_setparam": (142, 118),
    "sched_setscheduler": (144, 119),
    "sched_setattr": (314, 274),
    "shmget": (29, 194),
    "shmat": (30, 196),
    "shmctl": (31, 195),
    "msgget": (68, 186),
    "msgsnd": (69, 189),
    "msgrcv": (70, 188),
    "msgctl": (71, 187),
    "semget": (64, 190),
    "semop": (65, 193),
    "semtimedop": (220, 192),
    "semctl": (66, 191),
    "mq_open": (240, 180),
    # Landlock does not cover these: permissions, owners, times and attributes of files.
    "chmod": (90, None),
    "fchmod": (91, 52),
    "fchmodat": (268, 53),
    "fchmodat2": (452, 452),
    "chown": (92, None),
    "lchown": (94, None),
    "fchown": (93, 55),
    "fchownat": (260, 54),
    "utime": (132, None),
    "utimes": (235, None),
    "futimesat": (261, None),
    "utimensat": (280, 88),
    "setxattr": (188, 5),
    "lsetxattr": (189, 6),
    "fsetxattr": (190, 7),
    "removexattr": (197, 14),
    "lremovexattr": (198, 15),
    "fremovexattr": (199, 16),
    "truncate": (76, 45),
    # Other parts of the kernel that no reader needs, and that often had vulnerabilities.
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "mount": (165, 40),
    "umount2": (166, 39),
    "unshare": (272, 97),
    "setns": (308, 268),
    "pivot_root": (155, 41),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    "chroot": (161, 51),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    "personality": (135, 92),
    # The kernel's log, events of foreign files, and what only root may.
    "syslog": (103, 116),
    "fanotify_init": (300, 262),
    "quotactl": (179, 60),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "reboot": (169, 142),
    "acct": (163, 89),
    "settimeofday": (164, 170),
    "clock_settime": (227, 112),
    "clock_adjtime": (305, 266),
    "adjtimex": (159, 171),
    "sethostname": (170, 161),
    "setdomainname": (171, 162),
    "iopl": (172, None),
    "ioperm": (173, None),
}
# Allowed only if the first argument is this process (or 0 for prlimit64).
OWN_PROCESS_ONLY = {"kill": (62, 129), "tgkill": (234, 131), "prlimit64": (302, 261)}
CLONE = (56, 220)
CLONE3 = (435, 435)

# Machine → its index in the pairs above, and its AUDIT_ARCH constant.
_MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
_X32 = 0x40000000  # the flag of the x32 system calls of x86_64


class ConfinementError(Exception):
    """The kernel supports a protection, but did not activate it."""


def missing() -> list[str]:
    """The protections that this machine lacks, as text. Empty: the sandbox is complete."""
    parts = []
    if landlockpy.abi_version() < 1:
        parts.append("no Landlock, so files are not shut off")
    if not _has_seccomp():
        parts.append("no seccomp filter, so the network is not shut off")
    return parts


def state() -> str:
    """For /health/ready: `ok`, or what is missing."""
    parts = missing()
    if not parts:
        return "ok"
    return f"partial ({'; '.join(parts)})"


def confine(*, answers_to: int, readable: Iterable[str] = ()) -> None:
    """Take from this process everything but reading the code and writing to `answers_to`.

    `answers_to` is a file descriptor. `readable` are further files and folders that may be read. A
    protection that the kernel lacks is left out, see `missing()`. Raises ConfinementError or
    OSError if the kernel supports a protection but refuses it.
    """
    _close_all_but(answers_to)
    # The largest file that it can write has 0 bytes.
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_NOFILE, (MOST_FILES, MOST_FILES))
    if sys.platform != "linux":
        return
    # Kill this process if the fork server dies: it may end without notice.
    _prctl(_PR_SET_PDEATHSIG, _SIGKILL)
    # The kernel requires this flag for Landlock and seccomp without privileges.
    _prctl(_PR_SET_NO_NEW_PRIVS, 1)
    if landlockpy.abi_version() >= 1:
        _shut_files_off(readable)
    if _has_seccomp():
        _filter_system_calls()


def _close_all_but(answers_to: int) -> None:
    """Close all descriptors but `answers_to`.

    Standard output and error go to /dev/null: C libraries print parts of what they read.
    """
    null = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(null, standard)
    os.closerange(3, answers_to)
    os.closerange(answers_to + 1, os.sysconf("SC_OPEN_MAX"))


def _shut_files_off(readable: Iterable[str]) -> None:
    folders = [sys.prefix, sys.base_prefix, *SYSTEM, *readable]
    for name in CODE:
        folders.append(str(ROOT / name))
    # Signals and abstract sockets reach only processes in the same sandbox.
    with Ruleset(scoped=Scope.SIGNAL | Scope.ABSTRACT_UNIX_SOCKET) as ruleset:
        for folder in folders:
            path = Path(folder)
            if path.is_dir():
                ruleset.allow_path(path, READ)
            elif path.exists():
                ruleset.allow_path(path, AccessFS.READ_FILE)
        # Tesseract writes its notes to /dev/null.
        ruleset.allow_path(
            os.devnull, AccessFS.READ_FILE | AccessFS.WRITE_FILE | AccessFS.TRUNCATE
        )
        ruleset.restrict()


def _has_seccomp() -> bool:
    if sys.platform != "linux" or platform.machine() not in _MACHINES:
        return False
    libc = ctypes.CDLL(None, use_errno=True)
    # A negative answer: the kernel was built without seccomp.
    return bool(libc.prctl(_PR_GET_SECCOMP, 0, 0, 0, 0) >= 0)


def _prctl(option: int, argument: int, pointer: object = 0) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(option, argument, pointer, 0, 0) != 0:
        raise ConfinementError(f"prctl {option}: {os.strerror(ctypes.get_errno())}")


class _Program(ctypes.Structure):
    """The kernel's struct sock_fprog."""

    _fields_ = [("length", ctypes.c_ushort), ("instructions", ctypes.c_void_p)]


def _filter_system_calls() -> None:
    code = _instructions(platform.machine(), os.getpid())
    memory = ctypes.create_string_buffer(code, len(code))
    program = _Program(len(code) // 8, ctypes.cast(memory, ctypes.c_void_p))
    _prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.byref(program))


# Opcodes of classic BPF, and the return values from the kernel's seccomp.h.
_LOAD = 0x20
_EQUAL = 0x15
_AT_LEAST = 0x35
_HAS_BITS = 0x45
_RETURN = 0x06
_ALLOW = 0x7FFF0000
_REFUSE = 0x00050000  # | errno
_KILL_PROCESS = 0x80000000
# Offsets in struct seccomp_data.
_NUMBER = 0
_ARCHITECTURE = 4
_FIRST_ARGUMENT = 16


def _instructions(machine: str, pid: int) -> bytes:
    """The filter program: the kernel's struct sock_filter, 8 bytes per instruction."""
    column, architecture = _MACHINES[machine]
    refuse = _REFUSE | _EPERM
    # A comparison skips some of the next instructions: most of them skip over a refusal.
    # A foreign architecture has other numbers for system calls: kill the process.
    code = [
        _op(_LOAD, _ARCHITECTURE),
        _op(_EQUAL, architecture, skip_if_true=1),
        _op(_RETURN, _KILL_PROCESS),
        _op(_LOAD, _NUMBER),
    ]
    # The x32 table would offer the refused system calls under other numbers.
    if machine == "x86_64":
        code += [_op(_AT_LEAST, _X32, skip_if_false=1), _op(_RETURN, refuse)]
    for numbers in REFUSED.values():
        number = numbers[column]
        if number is not None:
            code += [_op(_EQUAL, number, skip_if_false=1), _op(_RETURN, refuse)]
    # ENOSYS for clone3: the C library then falls back to clone, whose flags a filter can read.
    code += [
        _op(_EQUAL, CLONE3[column], skip_if_false=1),
        _op(_RETURN, _REFUSE | _ENOSYS),
    ]
    # clone is allowed only for threads.
    code += [
        _op(_EQUAL, CLONE[column], skip_if_false=4),
        _op(_LOAD, _FIRST_ARGUMENT),
        _op(_HAS_BITS, _CLONE_THREAD, skip_if_false=1),
        _op(_RETURN, _ALLOW),
        _op(_RETURN, refuse),
    ]
    for name, numbers in OWN_PROCESS_ONLY.items():
        # prlimit64 takes 0 for the calling process; kill would signal its whole group.
        also = 0 if name == "prlimit64" else pid
        code += [
            _op(_EQUAL, numbers[column], skip_if_false=5),
            _op(_LOAD, _FIRST_ARGUMENT),
            _op(_EQUAL, pid, skip_if_true=2),
            _op(_EQUAL, also, skip_if_true=1),
            _op(_RETURN, refuse),
            _op(_RETURN, _ALLOW),
        ]
    code.append(_op(_RETURN, _ALLOW))
    return b"".join(code)


def _op(
    opcode: int, value: int, *, skip_if_true: int = 0, skip_if_false: int = 0
) -> bytes:
    return struct.pack("=HBBI", opcode, skip_if_true, skip_if_false, value)
