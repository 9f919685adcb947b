import type { Database } from '../../db/database.ts'
import { mayAct } from '../../db/may-act.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Id } from '../../lib/ids.ts'

/**
 * The account and key that opened something. Without a key, only the account counts. `madeMs`: when, in Unix
 * milliseconds; null if a rotation of the key does not end it, because its secret is needed for each use.
 */
export type Maker = {
  readonly accountId: Id
  readonly keyId: Id | null
  readonly madeMs: number | null
}

/** Ends open requests and sandboxes of this process when their maker may no longer act. */
export type MakerWatch = {
  /** Calls `onEnd` once within `everyMs` after the revocation. Returns a stop. */
  watch(maker: Maker, onEnd: () => void): () => void
  /** Checks all makers. A timer does it. */
  check(): Promise<void>
  close(): void
}

/** Two checks and their work fit into the five seconds that a revocation may take. */
const CHECK_EVERY_MS = 2_000

const ENDED = `select place from unnest($2::uuid[], $3::uuid[], $4::bigint[]) with ordinality as maker_of(account_id, key_id, made_ms, place)
  where not ${mayAct({ account: 'maker_of.account_id', key: 'maker_of.key_id', madeMs: 'maker_of.made_ms', nowMs: '$1::bigint' })}`

/**
 * One query per interval and process, and none while nothing is open. It finds pauses, revocations and expiries by
 * every process. Without the database everything stays open, because nothing can be revoked.
 */
export function createMakerWatch({
  database,
  now,
  everyMs = CHECK_EVERY_MS,
}: {
  readonly database: Pick<Database, 'query'>
  readonly now: Clock
  readonly everyMs?: number
}): MakerWatch {
  const open = new Map<string, { readonly maker: Maker; readonly ends: Set<() => void> }>()
  let timer: NodeJS.Timeout | undefined
  let isChecking = false

  function stopIfIdle(): void {
    if (open.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  async function check(): Promise<void> {
    if (isChecking || open.size === 0) return
    isChecking = true
    try {
      const entries = [...open.entries()]
      const makers = entries.map(([, { maker }]) => maker)
      const { rows } = await database.query<{ place: bigint }>(
        ENDED,
        [
          now(),
          makers.map(({ accountId }) => accountId),
          makers.map(({ keyId }) => keyId),
          makers.map(({ madeMs }) => madeMs),
        ],
        'ended_makers',
      )
      for (const { place } of rows) {
        const [name = '', entry] = entries[Number(place) - 1] ?? []
        open.delete(name)
        for (const end of entry?.ends ?? []) end()
      }
      stopIfIdle()
    } catch {
      // The database is away. Other code reports that; the next check continues.
    } finally {
      isChecking = false
    }
  }

  return {
    check,
    watch(maker, onEnd) {
      const name = `${maker.accountId} ${maker.keyId} ${maker.madeMs}`
      const { ends } = open.get(name) ?? { ends: new Set() }
      open.set(name, { maker, ends: ends.add(onEnd) })
      timer ??= setInterval(() => void check(), everyMs).unref()
      return () => {
        ends.delete(onEnd)
        if (ends.size === 0 && open.get(name)?.ends === ends) open.delete(name)
        stopIfIdle()
      }
    },
    close() {
      open.clear()
      stopIfIdle()
    },
  }
}
