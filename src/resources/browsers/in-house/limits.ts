/** Limits on the memory, processor time and number of processes of a browser. */
import type { Cgroups } from './cgroups.ts'
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
