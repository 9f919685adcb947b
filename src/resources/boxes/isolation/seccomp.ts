/**
 * The filter of system calls in boxes, as a classic BPF program. It denies what can widen the
 * attack surface of the kernel or reach outside of the box; other calls are allowed.
 */

/** Numbers of system calls that differ between architectures: [x64, arm64]. */
const DENIED: Readonly<Record<string, readonly [number, number | null]>> = {
  ptrace: [101, 117],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  process_madvise: [440, 440],
  pidfd_getfd: [438, 438],
  kcmp: [312, 272],
  mount: [165, 40],
  umount2: [166, 39],
  pivot_root: [155, 41],
  chroot: [161, 51],
  open_tree: [428, 428],
  move_mount: [429, 429],
  fsopen: [430, 430],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fspick: [433, 433],
  mount_setattr: [442, 442],
  unshare: [272, 97],
  setns: [308, 268],
  add_key: [248, 217],
  request_key: [249, 218],
  keyctl: [250, 219],
  bpf: [321, 280],
  perf_event_open: [298, 241],
  userfaultfd: [323, 282],
  io_uring_setup: [425, 425],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
  name_to_handle_at: [303, 264],
  open_by_handle_at: [304, 265],
  fanotify_init: [300, 262],
  quotactl: [179, 60],
  quotactl_fd: [443, 443],
  acct: [163, 89],
  swapon: [167, 224],
  swapoff: [168, 225],
  reboot: [169, 142],
  sethostname: [170, 161],
  setdomainname: [171, 162],
  init_module: [175, 105],
  delete_module: [176, 106],
  finit_module: [313, 273],
  kexec_load: [246, 104],
  kexec_file_load: [320, 294],
  settimeofday: [164, 170],
  clock_settime: [227, 112],
  clock_adjtime: [305, 266],
  adjtimex: [159, 171],
  syslog: [103, 116],
  vhangup: [153, 58],
  personality: [135, 92],
  lookup_dcookie: [212, 18],
  move_pages: [279, 239],
  migrate_pages: [256, 238],
  iopl: [172, null],
  ioperm: [173, null],
  modify_ldt: [154, null],
  uselib: [134, null],
  ustat: [136, null],
  sysfs: [139, null],
}

/** Calls that programs replace by others if the kernel lacks them, with the same number everywhere. */
const ABSENT = {
  pidfd_open: 434,
  memfd_secret: 447,
  process_mrelease: 448,
} as const

/** The architecture's value in the kernel's data, and the numbers of calls with special rules. */
const ARCHITECTURES = {
  x64: {
    audit: 0xc000003e,
    column: 0,
    socket: 41,
    clone: 56,
    clone3: 435,
    ioctl: 16,
    seccomp: 317,
    prctl: 157,
  },
  arm64: {
    audit: 0xc00000b7,
    column: 1,
    socket: 198,
    clone: 220,
    clone3: 435,
    ioctl: 29,
    seccomp: 277,
    prctl: 167,
  },
} as const

/** AF_UNIX, AF_INET, AF_INET6 and AF_NETLINK. Sockets of other families, such as AF_VSOCK and AF_ALG, ignore network namespaces or are rarely audited. */
const SOCKET_FAMILIES = [1, 2, 10, 16]
/** CLONE_NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET, NEWNS and NEWTIME. */
const NEW_NAMESPACES = 0x7e020080
/** Puts characters into the input of a terminal. */
const TIOCSTI = 0x5412
/** Calls of the x32 ABI have this bit. */
const X32 = 0x40000000

const [LOAD, JUMP_EQUAL, JUMP_GREATER_EQUAL, JUMP_SET, RETURN] = [0x20, 0x15, 0x35, 0x45, 0x06]
const [ALLOW, KILL, ERROR] = [0x7fff0000, 0x80000000, 0x00050000]
const [EPERM, ENOSYS, EAFNOSUPPORT] = [1, 38, 97]
const [AT_NUMBER, AT_ARCHITECTURE, AT_FIRST, AT_SECOND] = [0, 4, 16, 24]

type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, value: number]

export type SeccompFilter = {
  /** The program in hexadecimal, for `agent.pl`. */
  readonly program: string
}

/** The numbers of the calls that `agent.pl` makes. Null for an architecture without known ones. */
export function systemCalls(
  architecture: string,
): { readonly seccomp: number; readonly prctl: number } | null {
  return architecture === 'x64' || architecture === 'arm64' ? ARCHITECTURES[architecture] : null
}

/** Null for an architecture without known numbers of system calls. */
export function createSeccompFilter(architecture: string): SeccompFilter | null {
  if (architecture !== 'x64' && architecture !== 'arm64') return null
  const { audit, column, socket, clone, clone3, ioctl } = ARCHITECTURES[architecture]
  const denied = Object.values(DENIED)
    .map((numbers) => numbers[column])
    .filter((number) => number !== null)
  const program: Instruction[] = [
    [LOAD, 0, 0, AT_ARCHITECTURE],
    [JUMP_EQUAL, 1, 0, audit],
    [RETURN, 0, 0, KILL],
    [LOAD, 0, 0, AT_NUMBER],
    [JUMP_GREATER_EQUAL, 0, 1, X32],
    [RETURN, 0, 0, ERROR | ENOSYS],
    ...denied.flatMap((number): Instruction[] => [
      [JUMP_EQUAL, 0, 1, number],
      [RETURN, 0, 0, ERROR | EPERM],
    ]),
    // The flags of clone3 are in memory, which a filter cannot read. Programs then use clone.
    ...[clone3, ...Object.values(ABSENT)].flatMap((number): Instruction[] => [
      [JUMP_EQUAL, 0, 1, number],
      [RETURN, 0, 0, ERROR | ENOSYS],
    ]),
    [JUMP_EQUAL, 0, 4, clone],
    [LOAD, 0, 0, AT_FIRST],
    [JUMP_SET, 0, 1, NEW_NAMESPACES],
    [RETURN, 0, 0, ERROR | EPERM],
    [RETURN, 0, 0, ALLOW],
    [JUMP_EQUAL, 0, 4, ioctl],
    [LOAD, 0, 0, AT_SECOND],
    [JUMP_EQUAL, 0, 1, TIOCSTI],
    [RETURN, 0, 0, ERROR | EPERM],
    [RETURN, 0, 0, ALLOW],
    [JUMP_EQUAL, 0, SOCKET_FAMILIES.length + 2, socket],
    [LOAD, 0, 0, AT_FIRST],
    ...SOCKET_FAMILIES.map((family, index): Instruction => [
      JUMP_EQUAL,
      SOCKET_FAMILIES.length - index,
      0,
      family,
    ]),
    [RETURN, 0, 0, ERROR | EAFNOSUPPORT],
    [RETURN, 0, 0, ALLOW],
  ]
  const bytes = Buffer.alloc(program.length * 8)
  for (const [index, [code, ifTrue, ifFalse, value]] of program.entries()) {
    bytes.writeUInt16LE(code, index * 8)
    bytes.writeUInt8(ifTrue, index * 8 + 2)
    bytes.writeUInt8(ifFalse, index * 8 + 3)
    bytes.writeUInt32LE(value >>> 0, index * 8 + 4)
  }
  return { program: bytes.toString('hex') }
}
