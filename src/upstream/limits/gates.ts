import type { VendorLimits } from '../../catalog/vocabulary/wire.ts'
import type { Database } from '../../db/database.ts'
import { listenTo } from '../../db/listen.ts'
import type { Clock } from '../../lib/clock.ts'
import { allowanceOf } from './allowance.ts'
import { Gate } from './gate.ts'
import { Limiter } from './limiter.ts'
import { systemAlarm, type Alarm } from './turn.ts'
import { createTurnStore, parsePause, PAUSES_CHANNEL } from './turn-store.ts'

/** The gates of this process, one a vendor's label. */
export type Gates = {
  gateOf(label: string, limits: VendorLimits | undefined): Gate
  /** How many hosts of each vendor are left alone because they fail. */
  openBreakers(): readonly { readonly label: string; readonly count: number }[]
  /** Settles when pauses that other processes announce are heard. */
  readonly ready: Promise<void>
  close(): Promise<void>
}

export type GatesParts = {
  readonly database: Database
  readonly now: Clock
  /** Names this process among those that share the database. */
  readonly process: string
  readonly alarm?: Alarm
}

export function createGates({ database, now, process, alarm = systemAlarm }: GatesParts): Gates {
  const store = createTurnStore({ database, process, now })
  const gates = new Map<string, Gate>()
  /** Pauses of vendors that nobody in this process has asked yet: no more than there are labels. */
  const early = new Map<string, number>()
  const announcing = new Set<Promise<void>>()

  function keepPause(label: string, ms: number): void {
    const gate = gates.get(label)
    if (gate === undefined) early.set(label, now() + ms)
    else gate.limiter.pauseUntil(now() + ms)
  }

  /** A courtesy to the other processes: no call waits for it or fails with it. */
  function inBackground(work: Promise<void>): void {
    const done: Promise<void> = work.catch(() => {}).finally(() => announcing.delete(done))
    announcing.add(done)
  }

  async function readPauses(): Promise<void> {
    for (const { label, ms } of await store.pauses()) keepPause(label, ms)
  }

  const listener = listenTo({
    database,
    purpose: 'vendor pauses',
    channel: PAUSES_CHANNEL,
    onMessage(payload) {
      const pause = parsePause(payload)
      if (pause !== null && pause.process !== process) keepPause(pause.label, pause.ms)
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
      return gate
    },
    openBreakers: () => [...gates].map(([label, gate]) => ({ label, count: gate.openBreakers })),
    ready: listener.ready,
    async close() {
      await listener.close()
      await Promise.all(announcing)
    },
  }
}
