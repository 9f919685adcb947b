/** Boxes of util-linux alone: unshare, pivot_root and setpriv, which every Debian has. */
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { joinAndRun, quote, type BoxPlan, type Isolation } from './isolation.ts'
import { BOX_HOME, BOX_USER } from './layout.ts'

const NAMESPACES = ['--mount', '--pid', '--net', '--ipc', '--uts', '--cgroup']
const DEVICES = ['null', 'zero', 'full', 'random', 'urandom']
/** Files of /proc about the whole machine. */
const MASKED = [
  'cmdline',
  'kcore',
  'keys',
  'key-users',
  'timer_list',
  'sched_debug',
  'latency_stats',
  'kmsg',
  'kallsyms',
  'modules',
  'sysrq-trigger',
]
const NO_PRIVILEGES = [
  '--no-new-privs',
  '--bounding-set=-all',
  '--inh-caps=-all',
  '--ambient-caps=-all',
]

/** Enables the loopback device of the new network, as ip does, which Debian may lack. */
const START_LOOPBACK =
  'my $up = pack("a16 s x22", "lo", 1); socket(my $s, PF_INET, SOCK_DGRAM, 0) or die; ioctl($s, 0x8914, $up) or die "lo: $!\\n"'

export const namespaces: Isolation = {
  name: 'namespaces',
  programs: ['unshare', 'pivot_root', 'setpriv', 'prlimit', 'mount', 'perl'],
  packages: ['util-linux', 'mount', 'perl-base'],
  hasDevices: true,
  async command(plan) {
    const root = join(plan.folder, 'root')
    await mkdir(root, { recursive: true })
    return joinAndRun(plan, [
      'unshare',
      // Without root, the setup runs as root of a namespace of its own.
      ...(plan.userId === null ? ['--user', '--map-root-user'] : []),
      ...NAMESPACES,
      '--fork',
      '--kill-child=KILL',
      '--',
      '/bin/sh',
      '-euc',
      setupScript(plan, root),
    ])
  },
}

/** Builds the file system, enters it, gives up all rights and starts the command. */
function setupScript({ layout, limits, userId, devices, command }: BoxPlan, root: string): string {
  const { binds, links, files, hidden } = layout
  const inRoot = (path: string): string => quote(join(root, path))
  const isFolder = (source: string): string => `[ -d ${quote(source)} ]`
  const owner = userId === null ? '0:0' : `${userId}:${userId}`
  const bind = (source: string, target: string): string[] => [
    `mkdir -p ${inRoot(dirname(target))}`,
    `if ${isFolder(source)}; then mkdir -p ${inRoot(target)}; else : >>${inRoot(target)}; fi`,
    `mount --bind ${quote(source)} ${inRoot(target)}`,
  ]
  const readOnly = (target: string): string =>
    `mount -o remount,bind,ro,nosuid,nodev ${inRoot(target)}`
  const data = '/var/box'
  return [
    `perl -MSocket -e ${quote(START_LOOPBACK)}`,
    `mount -t tmpfs -o size=4m,nr_inodes=4096,mode=755,nosuid box ${quote(root)}`,
    `mkdir -p ${['/etc', '/proc', '/dev/shm', '/tmp', '/run', data, BOX_HOME].map(inRoot).join(' ')}`,
    ...binds.flatMap(({ source, target }) => [...bind(source, target), readOnly(target)]),
    ...hidden.flatMap((path) => [
      `if [ -d ${inRoot(path)} ]; then mount -t tmpfs -o size=4k,ro,nosuid,nodev hidden ${inRoot(path)}; fi`,
    ]),
    ...files.map(({ path, text }) => `printf %s ${quote(text)} >${inRoot(path)}`),
    ...links.map(
      ({ target, path }) => `[ -e ${inRoot(path)} ] || ln -s ${quote(target)} ${inRoot(path)}`,
    ),
    // One file system for all that programs write, so that its size limits them together.
    `mount -t tmpfs -o size=${limits.diskBytes},nr_inodes=${inodes(limits.diskBytes)},mode=755,nosuid,nodev data ${inRoot(data)}`,
    `mkdir ${['home', 'tmp', 'shm'].map((name) => inRoot(`${data}/${name}`)).join(' ')}`,
    `chown ${owner} ${inRoot(`${data}/home`)}`,
    `chmod 1777 ${inRoot(`${data}/tmp`)} ${inRoot(`${data}/shm`)}`,
    ...[
      ['home', BOX_HOME],
      ['tmp', '/tmp'],
      ['shm', '/dev/shm'],
    ].map(
      ([name = '', target = '']) => `mount --bind ${inRoot(`${data}/${name}`)} ${inRoot(target)}`,
    ),
    `mount -t proc -o nosuid,nodev,noexec proc ${inRoot('/proc')}`,
    `mount --bind ${inRoot('/proc/sys')} ${inRoot('/proc/sys')}`,
    readOnly('/proc/sys'),
    ...MASKED.map(
      (name) =>
        `if [ -e ${inRoot(`/proc/${name}`)} ]; then mount --bind /dev/null ${inRoot(`/proc/${name}`)}; fi`,
    ),
    ...[...DEVICES.map((name) => `/dev/${name}`), ...devices].flatMap((path) => bind(path, path)),
    'echo sandbox >/proc/sys/kernel/hostname 2>/dev/null || true',
    `cd ${quote(root)}`,
    'pivot_root . .',
    'umount -l .',
    'mount -o remount,bind,ro,nosuid,nodev /',
    `cd ${BOX_HOME}`,
    `exec ${[
      ...(userId === null
        ? []
        : ['setpriv', `--reuid=${userId}`, `--regid=${userId}`, '--clear-groups', '--']),
      'unshare',
      '--user',
      `--map-user=${BOX_USER}`,
      `--map-group=${BOX_USER}`,
      '--keep-caps',
      '--',
      'setpriv',
      ...NO_PRIVILEGES,
      '--',
      'env',
      '-i',
      ...command,
    ]
      .map(quote)
      .join(' ')}`,
  ].join('\n')
}

/** A tenth of the size in blocks of 4 KiB would be too few for many small files. */
function inodes(bytes: number): number {
  return Math.max(1024, Math.floor(bytes / 4096))
}
