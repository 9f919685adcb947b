/** Limits on the memory, processor time and number of processes of a browser. */
import { openCgroups, type Cgroups } from './cgroups.ts'
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

const PROCESSORS = 1
const PROCESSES = 512

/** A part of a warning, without its full stop. */
export const UNLIMITED =
  'control groups are not writable, so the processor time and processes of a browser session are not limited, and its memory is only sampled'

/** Null if this process may not limit browsers by control groups. */
export const openBrowserGroups = (megabytes: number): Promise<Cgroups | null> =>
  openCgroups({ megabytes, processors: PROCESSORS, processes: PROCESSES })

/** Without control groups, browsers run only if the operator listed them in IN_HOUSE. */
export const mayRunBrowsers = (isListed: boolean, groups: Cgroups | null): boolean =>
  isListed || groups !== null

const OPEN_FILES = 4_096
/** Lower priority than the gateway. */
const NICENESS = 10

/** With cgroups if this process may create them; otherwise by watching the memory. */
export function createLimits(cgroups: Cgroups | null, megabytes: number): Limits {
  const common = `ulimit -c 0; ulimit -n ${OPEN_FILES}`
  return {
    async open(session) {
      const group = await cgroups?.create(session)
      let stop = (): void => undefined
      const joins = (group?.processFiles ?? []).map((file) => `echo $$ > '${file}' || exit 1`)
      return {
        script: [common, ...joins, `exec nice -n ${NICENESS} "$0" "$@"`].join('; '),
        watch(processId, kill) {
          if (group === undefined) stop = watchMemory(processId, megabytes, kill)
        },
        async remove() {
          stop()
          await group?.remove()
        },
      }
    },
  }
}
