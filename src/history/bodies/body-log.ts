import type { Database } from '../../db/database.ts'
import { DAY_MS, type Clock } from '../../lib/clock.ts'
import type { Id } from '../../lib/ids.ts'
import { redact, redactValue } from './redact.ts'

/** The longest stored part of a request or response, in characters. */
export const LONGEST_BODY = 64 * 1024
/** Characters that a wallet stores at most in a day and process. */
const MOST_PER_DAY = 256 * 1024 * 1024
const MOST_QUEUED = 16 * 1024 * 1024
const MOST_PER_WRITE = 100
// Longer texts would delay other calls while their secrets are searched.
const LONGEST_READ = 1024 * 1024

const MOST_OF_CALL = 2 * LONGEST_BODY
const TOO_LONG = '(too long to be stored)'

/** A call whose account stores bodies. */
export type CallBodies = {
  readonly id: Id
  readonly walletId: number
  /** The parsed body, or null. */
  readonly request: unknown
  /** JSON or any other text. */
  readonly response: string | null
}

type Queued = Pick<CallBodies, 'id' | 'walletId'> & {
  readonly request: string | null
  readonly response: string | null
  readonly requestChars: number
  readonly responseChars: number
}

export type BodyLog = {
  /** Queues bodies without their secrets. Never waits, never throws. */
  readonly record: (bodies: CallBodies) => void
  readonly flush: () => Promise<void>
}

/**
 * Stores requests and responses of accounts that turned this on, for the days of the call log. The
 * statement checks the setting again, so nothing is stored after it was turned off.
 */
export function createBodyLog({
  database,
  now,
  mostPerDay = MOST_PER_DAY,
}: {
  readonly database: Pick<Database, 'query'>
  readonly now: Clock
  readonly mostPerDay?: number
}): BodyLog {
  let queue: Queued[] = []
  let queued = 0
  let day = 0
  const stored = new Map<number, number>()

  // Comes before bodies are read: reading them costs the event loop more than storing them.
  function admits(walletId: number): boolean {
    const today = Math.floor(now() / DAY_MS)
    if (today !== day) {
      day = today
      stored.clear()
    }
    const ofWallet = stored.get(walletId) ?? 0
    return ofWallet + MOST_OF_CALL <= mostPerDay && queued + MOST_OF_CALL <= MOST_QUEUED
  }

  return {
    record({ id, walletId, request, response }) {
      if (!admits(walletId)) return
      const requestChars = request == null ? 0 : JSON.stringify(request).length
      const responseChars = response?.length ?? 0
      const sent = request == null ? null : storable(requestChars, () => redactValue(request))
      const answered = response === null ? null : storable(responseChars, () => redact(response))
      const chars = (sent?.length ?? 0) + (answered?.length ?? 0)
      queued += chars
      stored.set(walletId, (stored.get(walletId) ?? 0) + chars)
      queue.push({ id, walletId, request: sent, response: answered, requestChars, responseChars })
    },
    async flush() {
      while (queue.length > 0) {
        const batch = queue.slice(0, MOST_PER_WRITE)
        queue = queue.slice(batch.length)
        for (const { request, response } of batch)
          queued -= (request?.length ?? 0) + (response?.length ?? 0)
        await writeBodies(database, batch)
      }
    },
  }
}

function storable(chars: number, readSafe: () => string): string {
  const safe = chars > LONGEST_READ ? TOO_LONG : readSafe()
  return safe.slice(0, LONGEST_BODY).replaceAll('\0', '').toWellFormed()
}

async function writeBodies(
  database: Pick<Database, 'query'>,
  bodies: readonly Queued[],
): Promise<void> {
  await database.query(
    `insert into call_bodies (wallet_id, id, request, response, request_chars, response_chars)
     select wallet_id, rows.id, request, response, request_chars, response_chars
     from json_to_recordset($1::json) as rows (wallet_id bigint, id uuid, request text, response text, request_chars integer, response_chars integer)
     join wallets on wallets.id = wallet_id join accounts on accounts.id = account_id
     where stores_bodies on conflict do nothing`,
    [
      JSON.stringify(
        bodies.map(({ id, walletId, request, response, requestChars, responseChars }) => ({
          wallet_id: walletId,
          id,
          request,
          response,
          request_chars: requestChars,
          response_chars: responseChars,
        })),
      ),
    ],
    'write_call_bodies',
  )
}
