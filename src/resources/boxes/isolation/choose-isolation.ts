/** Finds the ways to isolate boxes that work on this machine, by starting a box with each. */
import { randomBytes } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { findProgram } from '../../../lib/machine/find-program.ts'
import { startBox, type BoxSetup } from '../box.ts'
import type { ControlGroups, Controller } from '../../../lib/machine/control-groups.ts'
import { bubblewrap } from './bubblewrap.ts'
import { createGvisor } from './gvisor.ts'
import { SYSTEM_PATH, type Isolation, type IsolationName } from './isolation.ts'
import { createLayout } from './layout.ts'
import { namespaces } from './namespaces.ts'
import { createSeccompFilter } from './seccomp.ts'

/** From the strongest to the weakest. */
const ISOLATIONS: readonly Isolation[] = [createGvisor(null), namespaces, bubblewrap]
const PROBE_LIMITS = {
  memoryBytes: 256 * 1024 * 1024,
  diskBytes: 16 * 1024 * 1024,
  cpus: 1,
  processes: 64,
}

export type TriedIsolation = {
  readonly name: IsolationName
  readonly isolation: Isolation
  /** Null if it works. */
  readonly problem: string | null
  readonly packages: readonly string[]
}

/** Tries each isolation, from the strongest. With `isFirstOnly`, stops at the first that works. */
export async function tryIsolations(
  { groups, network }: Pick<BoxSetup, 'groups' | 'network'>,
  folder: string,
  isFirstOnly: boolean,
): Promise<readonly TriedIsolation[]> {
  const tried: TriedIsolation[] = []
  for (const isolation of ISOLATIONS) {
    const missing = isolation.programs.filter((one) => findProgram(one, SYSTEM_PATH) === null)
    const problem =
      missing.length > 0
        ? `${missing.join(', ')} not installed`
        : await tryToStart({ isolation, groups, network }, folder)
    tried.push({ name: isolation.name, isolation, problem, packages: isolation.packages })
    if (problem === null && isFirstOnly) break
  }
  return tried
}

/** Null if a box starts, or the reason. */
async function tryToStart(
  start: Pick<BoxSetup, 'isolation' | 'groups' | 'network'>,
  folder: string,
): Promise<string | null> {
  const id = `probe-${randomBytes(4).toString('hex')}`
  try {
    await mkdir(folder, { recursive: true, mode: 0o711 })
    const box = await startBox(setupFor(start, createLayout(null, [])), {
      id,
      accountId: 'none',
      folder: join(folder, id),
      limits: PROBE_LIMITS,
      userId: process.getuid?.() === 0 ? PROBE_USER : null,
      devices: [],
      lifeSeconds: null,
      envs: {},
    })
    await box.close()
    return null
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    return cause instanceof Error ? cause.message : String(cause)
  }
}

const PROBE_USER = 1_609_999_999

export function setupFor(
  { isolation, groups, network }: Pick<BoxSetup, 'isolation' | 'groups' | 'network'>,
  layout: BoxSetup['layout'],
): BoxSetup {
  return {
    isolation,
    layout,
    groups,
    network,
    // gVisor has its own kernel, which the filter would only slow down.
    filter: isolation.name === 'gvisor' ? null : createSeccompFilter(process.arch),
  }
}

/** Of boxes of unknown callers. */
const NEEDED: readonly Controller[] = ['memory', 'pids', 'cpu', 'cpuacct', 'freezer']
/** Without these, one box can stop the machine. */
export const ESSENTIAL: readonly Controller[] = ['memory', 'pids']

/** The limits that this machine cannot set: control groups of `needed`, and the filter of system calls. */
export function missingLimits(
  groups: Pick<ControlGroups, 'controllers'>,
  needed = NEEDED,
): readonly string[] {
  return [
    ...needed
      .filter((controller) => !groups.controllers.has(controller))
      .map((controller) => `control group ${controller}`),
    ...(createSeccompFilter(process.arch) === null ? [`seccomp filter for ${process.arch}`] : []),
  ]
}
