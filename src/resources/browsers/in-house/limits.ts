/** Limits on the memory, processor time and number of processes of a browser. */
import {
  openOwnControlGroups,
  removeControlGroups,
  type ControlGroups,
} from '../../../lib/machine/control-groups.ts'
import { watchMemory } from './watch-memory.ts'

export type SessionLimits = {
  /** A shell script that starts "$0" with its arguments under the limits. */
  readonly script: string
  /** Enforces limits that the system does not, on the process and its descendants. */
  readonly watch: (processId: number, kill: () => void) => void
  /** After the last process has ended. Never rejects. */
  readonly remove: () => Promise<void>
}
export type Limits = { open(session: string): Promise<SessionLimits> }

const CPUS = 1
const PROCESSES = 512
const MEGABYTE = 1_000_000
const PREFIX = 'tollgate-browser-'

/** A part of a warning, without its full stop. */
export const UNLIMITED =
  'control groups are not writable, so the processor time and processes of a browser session are not limited, and its memory is only sampled'

/** Null if this process may not limit browsers by control groups. Removes the groups that ended processes left. */
export async function openBrowserGroups(): Promise<ControlGroups | null> {
  const groups = await openOwnControlGroups()
  const canLimit = (['memory', 'pids', 'cpu'] as const).every((one) => groups.controllers.has(one))
  if (!canLimit) return null
  await groups.removeEmpty(PREFIX)
  return groups
}

/** Without control groups, browsers run only if the operator listed them in IN_HOUSE. */
export const mayRunBrowsers = (isListed: boolean, groups: object | null): boolean =>
  isListed || groups !== null

const OPEN_FILES = 4_096
/** Lower priority than the gateway. */
const NICENESS = 10

/** With control groups if this process may create them; otherwise by watching the memory. */
export function createLimits(groups: ControlGroups | null, megabytes: number): Limits {
  const common = `ulimit -c 0; ulimit -n ${OPEN_FILES}`
  return {
    async open(session) {
      const group = await groups?.create(`${PREFIX}${session}`, {
        memoryBytes: megabytes * MEGABYTE,
        cpus: CPUS,
        processes: PROCESSES,
      })
      let stop = (): void => undefined
      const joins = (group?.folders ?? []).map(
        (folder) => `echo $$ > '${folder}/cgroup.procs' || exit 1`,
      )
      return {
        script: [common, ...joins, `exec nice -n ${NICENESS} "$0" "$@"`].join('; '),
        watch(processId, kill) {
          if (group === undefined) stop = watchMemory(processId, megabytes, kill)
        },
        async remove() {
          stop()
          if (group !== undefined) await removeControlGroups(group.folders)
        },
      }
    },
  }
}
