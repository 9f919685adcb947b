import type { Database } from '../../db/database.ts'
import type { Clock } from '../../lib/clock.ts'
import { newId } from '../../lib/ids.ts'
import { startSimulators, type Simulators } from '../../simulators/start.ts'
import { createGuard, type Guard } from '../../upstream/guard.ts'
import {
  createPlainDispatcher,
  type PlainDispatcher,
} from '../../upstream/http1/plain-dispatcher.ts'
import { createGates, type Gates } from '../../upstream/limits/gates.ts'
import type { Config } from '../settings/config.ts'

/** The outbound connections of a process, and the limits of its vendors. */
export type Egress = {
  /** For the open web and for vendors at their own address. */
  readonly guard: Guard
  /** For vendors' addresses that the operator configures. */
  readonly operatorDispatcher: PlainDispatcher
  readonly gates: Gates
  readonly simulators: Simulators
  readonly simulatorGuard: Guard
  close(): Promise<void>
}

const VENDOR_CONNECTIONS = 256

export async function openEgress(
  { allowPrivateNetworks }: Pick<Config, 'allowPrivateNetworks'>,
  database: Database,
  now: Clock,
): Promise<Egress> {
  const guard = createGuard({ allowPrivateNetworks })
  const operatorDispatcher = createPlainDispatcher({ connections: VENDOR_CONNECTIONS })
  const gates = createGates({ database, now, process: newId(now()) })
  const simulators = await startSimulators({ now })
  const simulatorGuard = createGuard({ allowPrivateNetworks: ['127.0.0.0/8'] })
  return {
    guard,
    operatorDispatcher,
    gates,
    simulators,
    simulatorGuard,
    async close() {
      await Promise.all(
        [simulators, guard, simulatorGuard, gates, operatorDispatcher].map((one) => one.close()),
      )
    },
  }
}
