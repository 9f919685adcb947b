/** Boxes of bubblewrap, for machines where the gateway is not root. */
import { joinAndRun, type BoxPlan, type Isolation } from './isolation.ts'
import { BOX_HOME, BOX_USER, type Layout } from './layout.ts'
import { writeFiles } from './write-files.ts'

const PROGRAM = 'bwrap'

export const bubblewrap: Isolation = {
  name: 'bubblewrap',
  programs: [PROGRAM, 'setpriv', 'prlimit', 'perl'],
  packages: ['bubblewrap', 'util-linux', 'perl-base'],
  hasDevices: true,
  command: async (plan) =>
    joinAndRun(plan, [
      ...(plan.userId === null
        ? []
        : [
            'setpriv',
            `--reuid=${plan.userId}`,
            `--regid=${plan.userId}`,
            '--clear-groups',
            '--pdeathsig=KILL',
            '--',
          ]),
      PROGRAM,
      ...argumentsOf(plan, await writeFiles(plan)),
      '--',
      ...plan.command,
    ]),
}

function argumentsOf(
  { layout, limits, devices }: BoxPlan,
  files: Layout['binds'],
): readonly string[] {
  const size = String(limits.diskBytes)
  return [
    '--unshare-all',
    '--unshare-user',
    '--disable-userns',
    '--die-with-parent',
    '--as-pid-1',
    '--new-session',
    '--cap-drop',
    'ALL',
    '--clearenv',
    '--hostname',
    'sandbox',
    '--uid',
    String(BOX_USER),
    '--gid',
    String(BOX_USER),
    ...layout.binds.flatMap(({ source, target }) => ['--ro-bind', source, target]),
    ...layout.hidden.flatMap((path) => ['--size', '4096', '--tmpfs', path]),
    ...files.flatMap(({ source, target }) => ['--ro-bind', source, target]),
    ...layout.links.flatMap(({ target, path }) => ['--symlink', target, path]),
    '--proc',
    '/proc',
    '--ro-bind',
    '/dev/null',
    '/proc/cmdline',
    '--dev',
    '/dev',
    ...devices.flatMap((path) => ['--dev-bind', path, path]),
    // bubblewrap has one file system per folder, so each has the whole limit.
    ...['/tmp', BOX_HOME].flatMap((path) => ['--size', size, '--tmpfs', path]),
    '--remount-ro',
    '/',
    '--chdir',
    BOX_HOME,
  ]
}
