import type { GroupLimits } from '../../../lib/machine/control-groups.ts'
import type { Layout } from './layout.ts'

/** From the strongest to the weakest. */
export const ISOLATION_NAMES = ['gvisor', 'namespaces', 'bubblewrap', 'podman'] as const
export type IsolationName = (typeof ISOLATION_NAMES)[number]

export type BoxLimits = GroupLimits & {
  /** Of files that programs write, together. They also count as memory. */
  readonly diskBytes: number
}

/** A box to start. `folder` is empty and belongs to this box. */
export type BoxPlan = {
  readonly id: string
  readonly folder: string
  readonly layout: Layout
  readonly limits: BoxLimits
  /** The most private memory of each process; null if a control group limits all together. */
  readonly dataBytes: number | null
  /** The user id on the machine, of this box only; null if the gateway is not root. */
  readonly userId: number | null
  /** Programs may connect to the socket of the gateway's proxy. */
  readonly hasNetwork: boolean
  /** Paths of devices of the machine that programs may use. */
  readonly devices: readonly string[]
  /** After which the box ends at the latest, also without the gateway; null for no limit. */
  readonly lifeSeconds: number | null
  /** The arguments of the first process in the box. */
  readonly command: readonly string[]
  /** Folders of control groups that the box joins before it starts. */
  readonly controlGroups: readonly string[]
}

/** A program and its arguments that start a box. Its standard input and output are the agent's. */
export type BoxCommand = {
  readonly program: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/** A way to isolate a box from the machine. */
export type Isolation = {
  readonly name: IsolationName
  /** The programs that it needs. */
  readonly programs: readonly string[]
  /** The Debian packages of these programs. */
  readonly packages: readonly string[]
  /** Whether boxes can have devices of the machine. */
  readonly hasDevices: boolean
  /** The command of a box; may write files into its folder. */
  command(plan: BoxPlan): Promise<BoxCommand>
  /** Removes what does not end with the command. Never rejects. Safe to repeat. */
  remove?(id: string): Promise<void>
}

/** util-linux installs some of its programs in /usr/sbin. */
export const SYSTEM_PATH = '/usr/sbin:/usr/bin:/sbin:/bin'
const OPEN_FILES = 1024
const LOCKED_BYTES = 65_536

/**
 * Runs its arguments without the open files of the gateway. Node marks files as not to be inherited
 * only up to the first unused number. The shell cannot name numbers above 9.
 */
const CLOSE_FILES = [
  'opendir(my $d, "/proc/self/fd") or die "/proc/self/fd: $!\\n"',
  'my @inherited = grep { /^\\d+$/ && $_ > 2 } readdir $d',
  'closedir $d',
  'POSIX::close($_) for @inherited',
  'exec { $ARGV[0] } @ARGV or die "$ARGV[0]: $!\\n"',
].join('; ')

/** Quotes a word for a shell. */
export function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`
}

/**
 * A shell script that joins the control groups, sets limits per process and runs `command`, which
 * inherits only standard input and outputs and dies with the gateway.
 */
export function joinAndRun(plan: BoxPlan, command: readonly string[]): BoxCommand {
  const joins = plan.controlGroups.map((folder) => `echo $$ >${quote(`${folder}/cgroup.procs`)}`)
  return runScript([...joins, startCommand(limitsOf(plan), 'KILL', command)])
}

/** Runs `command` like `joinAndRun`, without limits. It gets `deathSignal` when the gateway dies. */
export function closeFilesAndRun(deathSignal: 'TERM', command: readonly string[]): BoxCommand {
  return runScript([startCommand([], deathSignal, command)])
}

function startCommand(
  limits: readonly string[],
  deathSignal: 'KILL' | 'TERM',
  command: readonly string[],
): string {
  const start = ['setpriv', '--pdeathsig', deathSignal, '--', 'perl', '-MPOSIX=', '-e', CLOSE_FILES]
  return `exec ${[...limits, ...start, '--', ...command].map(quote).join(' ')}`
}

function runScript(lines: readonly string[]): BoxCommand {
  const script = ['set -eu', 'umask 022', ...lines].join('\n')
  return { program: '/bin/sh', args: ['-c', script], env: { PATH: SYSTEM_PATH } }
}

/** Limits per process. The number of processes is counted per user, so it needs a user of this box. */
function limitsOf({ limits, userId, dataBytes }: BoxPlan): readonly string[] {
  return [
    'prlimit',
    `--nofile=${OPEN_FILES}`,
    '--core=0',
    `--memlock=${LOCKED_BYTES}`,
    `--fsize=${limits.diskBytes}`,
    '--msgqueue=0',
    ...(dataBytes === null ? [] : [`--data=${dataBytes}`]),
    ...(userId === null ? [] : [`--nproc=${limits.processes}`]),
    '--',
  ]
}
