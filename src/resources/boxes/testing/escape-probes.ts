/** Attempts to leave a box. */
import { openSocket, SECRET, type Probe } from './attempt-probes.ts'

const isRoot = process.getuid?.() === 0
const column = process.arch === 'arm64' ? 1 : 0
const inMounts = isRoot ? 'unshare --mount' : 'unshare --map-root-user --mount'

/** A system call of both architectures that succeeds if its result is above `least`. */
function systemCall(numbers: readonly [number, number], words: string, least: number): string {
  return `perl -e 'exit(syscall(${numbers[column]}${words}) > ${least} ? 0 : 1)'`
}
const GETPID = [39, 172] as const

/** Names, commands, and the controls that differ from their command. */
const PROBES = (
  port: number,
  abstractName: string,
): readonly (readonly [string, string, string?])[] => [
  ['sees the process of the gateway', `grep -q . /proc/${process.pid}/cmdline`],
  ['sends it a signal', `kill -0 ${process.pid}`],
  ['reads secrets of the environment', `grep -q ${SECRET} /proc/*/environ`],
  [
    'connects to a port of the machine',
    openSocket(2, `sockaddr_in(${port}, inet_aton("127.0.0.1"))`),
  ],
  ['connects to an abstract socket', openSocket(1, `pack("S", 1) . "\\0${abstractName}"`)],
  [
    'has another network interface than the loopback',
    'grep -vq "lo:\\|face\\|Receive" /proc/net/dev',
    'echo "eth0: 1" | grep -vq "lo:\\|face\\|Receive"',
  ],
  [
    'connects to the metadata service',
    openSocket(2, 'sockaddr_in(80, inet_aton("169.254.169.254"))'),
    openSocket(2, `sockaddr_in(${port}, inet_aton("127.0.0.1"))`),
  ],
  ['opens a socket to the hypervisor', openSocket(40), openSocket(1)],
  [
    'mounts a file system',
    'mkdir -p m && mount -t tmpfs x m',
    `${inMounts} sh -c 'mkdir -p m && mount -t tmpfs x m'`,
  ],
  ['creates namespaces', 'unshare --user --map-root-user true'],
  ['traces a process', systemCall([101, 117], ', 0, 0, 0, 0', -1)],
  ['reads key rings', systemCall([250, 219], ', 0, -3, 1', 0), systemCall(GETPID, '', 0)],
  [
    'loads a BPF program',
    `perl -MErrno -e 'exit(syscall(${[321, 280][column]}, 0, 0, 0) < 0 && $!{EPERM} ? 1 : 0)'`,
    `perl -MErrno -e 'exit(syscall(${GETPID[column]}, 0, 0, 0) < 0 && $!{EPERM} ? 1 : 0)'`,
  ],
  ['reads the boot parameters of the machine', 'grep -q . /proc/cmdline'],
  [
    'opens a handle of a process',
    `perl -MErrno -e 'exit(syscall(434, $$, 0) < 0 && $!{ENOSYS} ? 1 : 0)'`,
  ],
  [
    'releases the memory of a process',
    `perl -MErrno -e 'exit(syscall(448, -1, 0) < 0 && $!{ENOSYS} ? 1 : 0)'`,
  ],
  [
    'creates memory that the kernel cannot read',
    `perl -MErrno -e 'exit(syscall(447, 0) < 0 && $!{ENOSYS} ? 1 : 0)'`,
    'true',
  ],
  ['reads passwords', 'cat /etc/shadow', isRoot ? 'cat /etc/shadow' : 'cat /etc/passwd'],
  ['sees homes', 'ls /root /home', isRoot ? 'ls /root /home' : 'ls /home'],
  ['sees the code of the gateway', `ls ${process.cwd()}/package.json`],
  ['follows a link out of its folder', `ln -sf ${process.cwd()}/package.json l && cat l`],
  ['writes to the programs of the machine', 'touch /usr/bin/tollgate-escape', 'touch ./escape'],
  ['writes settings of the kernel', 'echo 0 >/proc/sys/kernel/panic', 'echo 0 >./panic'],
  [
    'opens a disk',
    'ls /dev/vda /dev/sda /dev/mem /dev/kmsg 2>/dev/null | grep -q .',
    'ls /dev/vda /dev/sda /dev/null 2>/dev/null | grep -q .',
  ],
  ['creates a device', 'mknod d b 8 0', 'mknod p p'],
  [
    'has capabilities',
    'grep -Eq "Cap(Prm|Eff|Bnd|Amb):.*[1-9a-f]" /proc/self/status',
    'grep -Eq "Cap(Prm|Eff|Bnd|Amb):.*[1-9a-f]" /proc/1/status',
  ],
  [
    'may gain rights',
    'grep -q "NoNewPrivs:.*0" /proc/self/status',
    'grep -q "NoNewPrivs:.*0" /proc/1/status',
  ],
  [
    'writes more than its disk',
    'for i in 1 2 3 4; do head -c 8000000 /dev/zero >f$i || exit 1; done',
  ],
  ['uses more than its memory', 'perl -e \'$x = "a" x 400_000_000; exit 0\''],
  ['starts more than its processes', 'for i in $(seq 200); do sleep 5 >/dev/null 2>&1 & done'],
  [
    'opens more than its files',
    'perl -e \'for (1..5000) { open($f[$_], "<", "/dev/null") or exit 1 }\'',
    'perl -e \'for (1..50) { open($f[$_], "<", "/dev/null") or exit 1 }\'',
  ],
]

/** `port`: of a TCP server on loopback; `abstractName`: of a Unix socket. */
export function escapeProbes(port: number, abstractName: string): readonly Probe[] {
  return PROBES(port, abstractName).map(([name, command, control = command]) => ({
    name,
    command,
    control,
  }))
}
