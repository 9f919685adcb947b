import type { VendorLimits } from '../../catalog/vocabulary/wire.ts'
import type { Database } from '../../db/database.ts'
import { listenTo } from '../../db/listen.ts'
import type { Clock } from '../../lib/clock.ts'
import { allowanceOf } from './allowance.ts'
import { Gate } from './gate.ts'
import { Limiter } from './limiter.ts'
import { systemAlarm, type Alarm } from './permit.ts'
import { createPermitStore, parsePause, PAUSES_CHANNEL } from './permit-store.ts'

/** The gates of this process, one per vendor label. */
export type Gates = {
  gateOf(label: string, limits: VendorLimits | undefined): Gate
  /** Limits that the operator changed. The next `gateOf` opens a gate; calls in flight use the former one. */
  renew(label: string, limits: VendorLimits | undefined): void
  /** Number of hosts with an open breaker, by vendor. */
  openBreakers(): readonly { readonly label: string; readonly count: number }[]
  /** Settles when the process listens for pauses that other processes announce. */
  readonly ready: Promise<void>
  close(): Promise<void>
}

export type GatesDeps = {
  readonly database: Database
  readonly now: Clock
  /** Identifies this process among those that share the database. */
  readonly process: string
  readonly alarm?: Alarm
}

export function createGates({ database, now, process, alarm = systemAlarm }: GatesDeps): Gates {
  const store = createPermitStore({ database, process, now })
  const gates = new Map<string, Gate>()
  const limitsOf = new Map<string, VendorLimits | undefined>()
  /** Pauses of vendors that this process has not used yet; at most one per label. */
  const early = new Map<string, number>()
  const announcing = new Set<Promise<void>>()

  function applyPause(label: string, ms: number): void {
    const gate = gates.get(label)
    if (gate === undefined) early.set(label, now() + ms)
    else gate.limiter.pauseUntil(now() + ms)
  }

  /** Notifies other processes; calls neither wait for it nor fail with it. */
  function inBackground(work: Promise<void>): void {
    const done: Promise<void> = work.catch(() => {}).finally(() => announcing.delete(done))
    announcing.add(done)
  }

  async function readPauses(): Promise<void> {
    for (const { label, ms } of await store.pauses()) applyPause(label, ms)
  }

  const listener = listenTo({
    database,
    purpose: 'vendor pauses',
    channel: PAUSES_CHANNEL,
    onMessage(payload) {
      const pause = parsePause(payload)
      if (pause !== null && pause.process !== process) applyPause(pause.label, pause.ms)
    },
    onGap: () => inBackground(readPauses()),
  })

  return {
    gateOf(label, limits) {
      const known = gates.get(label)
      if (known !== undefined) return known
      const limiter = new Limiter({ label, allowance: allowanceOf(limits), store, now, alarm })
      limiter.pauseUntil(early.get(label) ?? 0)
      early.delete(label)
      const gate = new Gate({ limiter, now, onPause: (ms) => inBackground(store.pause(label, ms)) })
      gates.set(label, gate)
      limitsOf.set(label, limits)
      return gate
    },
    renew(label, limits) {
      if (JSON.stringify(limitsOf.get(label)) === JSON.stringify(limits)) return
      gates.delete(label)
    },
    openBreakers: () => [...gates].map(([label, gate]) => ({ label, count: gate.openBreakers })),
    ready: listener.ready,
    async close() {
      await listener.close()
      await Promise.all(announcing)
    },
  }
}
