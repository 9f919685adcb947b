/** Boxes of Podman, which run images of its local store. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { findProgram } from '../../../lib/machine/find-program.ts'
import {
  closeFilesAndRun,
  quote,
  SYSTEM_PATH,
  type BoxPlan,
  type Isolation,
} from '../isolation/isolation.ts'
import { BOX_HOME } from '../isolation/layout.ts'
import { writeFiles } from '../isolation/write-files.ts'

const COMMAND_MS = 30_000
const REMOVE_TRIES = 100
const REMOVE_WAIT_MS = 20
const HIERARCHIES = '/sys/fs/cgroup'
const OPEN_FILES = 1024
/** Of the machine, which Podman would otherwise show: hosts, name servers, and proxies with passwords. */
const NOTHING_OF_THE_MACHINE = [
  '--no-hosts',
  '--volume=/dev/null:/etc/resolv.conf:ro',
  '--http-proxy=false',
]

export type PodmanRun = (args: readonly string[]) => Promise<string>

/** Runs Podman and returns its output. Rejects with an Error that has its message. */
export const runPodman: PodmanRun = async (args) => {
  const { stdout } = await promisify(execFile)('podman', [...managerArguments(), ...args], {
    env: { PATH: SYSTEM_PATH },
    timeout: COMMAND_MS,
    cwd: '/',
  })
  return stdout
}

/** An isolation whose boxes have the files of `image`, the id of an image of the local store. */
export function createPodman(image: string): Isolation {
  return {
    name: 'podman',
    programs: ['podman', 'setpriv', 'perl'],
    packages: ['podman', 'runc', 'util-linux', 'perl-base'],
    hasDevices: true,
    async command(plan) {
      const run = ['podman', ...managerArguments(), ...(await runArguments(plan, image))]
      const remove = ['podman', ...managerArguments(), ...removeArguments(plan.id)]
      // The container belongs to a daemon of Podman, so the shell removes it when the gateway dies.
      const script = [
        'set -u',
        `trap ${quote(`${remove.map(quote).join(' ')} >/dev/null 2>&1; exit 0`)} TERM`,
        'exec 3<&0',
        `${run.map(quote).join(' ')} <&3 3<&- &`,
        'exec 3<&- </dev/null >/dev/null',
        'wait $!',
      ].join('\n')
      return closeFilesAndRun('TERM', ['/bin/sh', '-c', script])
    },
    async remove(id) {
      await runPodman(removeArguments(id)).catch(() => undefined)
      await removeParentGroups(id)
    },
  }
}

/** Root without systemd, for machines with both versions of control groups, which crun rejects. */
function managerArguments(): readonly string[] {
  const hasRunc = findProgram('runc', SYSTEM_PATH) !== null
  return ['--cgroup-manager=cgroupfs', ...(hasRunc ? ['--runtime=runc'] : [])]
}

function removeArguments(id: string): readonly string[] {
  return ['rm', '--force', '--ignore', '--time=0', containerName(id)]
}

function containerName(id: string): string {
  return `tollgate-box-${id}`
}

/** The limits of memory, processes and CPU time are those of the control group that the box has. */
async function runArguments(plan: BoxPlan, image: string): Promise<readonly string[]> {
  const { id, layout, limits, userId, devices, lifeSeconds, command } = plan
  const [program = '', ...args] = command
  const inside = layout.binds.filter(({ target }) => target.startsWith('/opt/'))
  const hosts = (await writeFiles(plan)).filter(({ target }) => target === '/etc/hosts')
  const tmpfs = `rw,exec,nosuid,nodev,mode=1777,size=${limits.diskBytes}`
  const user = userId ?? 0
  return [
    'run',
    '--interactive',
    '--rm',
    `--name=${containerName(id)}`,
    '--pull=never',
    '--network=none',
    '--cap-drop=all',
    '--security-opt=no-new-privileges',
    `--cgroup-parent=/${containerName(id)}`,
    '--cgroups=no-conmon',
    `--pids-limit=${limits.processes}`,
    `--memory=${limits.memoryBytes}`,
    `--memory-swap=${limits.memoryBytes}`,
    `--cpus=${limits.cpus}`,
    `--ulimit=nofile=${OPEN_FILES}:${OPEN_FILES}`,
    `--ulimit=nproc=${limits.processes}:${limits.processes}`,
    '--ulimit=core=0:0',
    '--read-only',
    '--read-only-tmpfs=false',
    '--image-volume=ignore',
    `--shm-size=${limits.diskBytes}`,
    ...['/tmp', BOX_HOME].map((path) => `--tmpfs=${path}:${tmpfs}`),
    ...NOTHING_OF_THE_MACHINE,
    '--no-healthcheck',
    '--systemd=false',
    '--log-driver=none',
    '--hostname=sandbox',
    `--user=${user}:${user}`,
    `--workdir=${BOX_HOME}`,
    ...(lifeSeconds === null ? [] : [`--timeout=${lifeSeconds}`]),
    ...devices.map((path) => `--device=${path}`),
    ...[...inside, ...hosts].map(({ source, target }) => `--volume=${source}:${target}:ro`),
    `--entrypoint=${program}`,
    image,
    ...args,
  ]
}

/**
 * Podman creates the parent group in every hierarchy of version 1 and leaves it there. It may still
 * remove the group of the container when a program of its own ended the container.
 */
async function removeParentGroups(id: string): Promise<void> {
  const hierarchies = await readdir(HIERARCHIES).catch(() => [])
  let left = hierarchies.map((hierarchy) => join(HIERARCHIES, hierarchy, containerName(id)))
  for (let tries = REMOVE_TRIES; tries > 0 && left.length > 0; tries -= 1) {
    for (const path of left) await rmdir(path).catch(() => undefined)
    left = left.filter((path) => existsSync(path))
    if (left.length > 0) await delay(REMOVE_WAIT_MS)
  }
}
