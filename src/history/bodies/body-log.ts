import type { Database } from '../../db/database.ts'
import { DAY_MS, type Clock } from '../../lib/clock.ts'
import type { Id } from '../../lib/ids.ts'
import { redact } from './redact.ts'

/** The longest stored part of a request or response, in characters. */
export const LONGEST_BODY = 64 * 1024
/** Characters that an account stores at most in a day and process. */
export const MOST_PER_DAY = 256 * 1024 * 1024
const MOST_QUEUED = 16 * 1024 * 1024
const MOST_PER_WRITE = 100
// Longer texts would delay other calls while their secrets are searched.
const LONGEST_READ = 1024 * 1024

/** A call whose account stores bodies. Texts are JSON or anything else. */
export type CallBodies = {
  readonly id: Id
  readonly walletId: number
  readonly request: string | null
  readonly response: string | null
}

type Queued = CallBodies & { readonly requestChars: number; readonly responseChars: number }

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
}: {
  readonly database: Pick<Database, 'query'>
  readonly now: Clock
}): BodyLog {
  let queue: Queued[] = []
  let queued = 0
  let day = 0
  const stored = new Map<number, number>()

  function admits(walletId: number, chars: number): boolean {
    const today = Math.floor(now() / DAY_MS)
    if (today !== day) {
      day = today
      stored.clear()
    }
    const ofWallet = (stored.get(walletId) ?? 0) + chars
    if (ofWallet > MOST_PER_DAY || queued + chars > MOST_QUEUED) return false
    stored.set(walletId, ofWallet)
    return true
  }

  return {
    record({ id, walletId, request, response }) {
      const [sent, answered] = [storable(request), storable(response)]
      const chars = (sent?.length ?? 0) + (answered?.length ?? 0)
      if (!admits(walletId, chars)) return
      queued += chars
      const sizes = { requestChars: request?.length ?? 0, responseChars: response?.length ?? 0 }
      queue.push({ id, walletId, request: sent, response: answered, ...sizes })
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

function storable(text: string | null): string | null {
  if (text === null) return null
  const safe = text.length > LONGEST_READ ? '(too long to be stored)' : redact(text)
  return safe.slice(0, LONGEST_BODY).replaceAll('\0', '').toWellFormed()
}

async function writeBodies(
  database: Pick<Database, 'query'>,
  bodies: readonly Queued[],
): Promise<void> {
  await database.query(
    `insert into call_bodies (wallet_id, id, request, response, request_bytes, response_bytes)
     select wallet_id, rows.id, request, response, request_bytes, response_bytes
     from json_to_recordset($1::json) as rows (wallet_id bigint, id uuid, request text, response text, request_bytes integer, response_bytes integer)
     join wallets on wallets.id = wallet_id join accounts on accounts.id = account_id
     where stores_bodies on conflict do nothing`,
    [
      JSON.stringify(
        bodies.map(({ id, walletId, request, response, requestChars, responseChars }) => ({
          wallet_id: walletId,
          id,
          request,
          response,
          request_bytes: requestChars,
          response_bytes: responseChars,
        })),
      ),
    ],
    'write_call_bodies',
  )
}
