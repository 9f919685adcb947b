import type { Database } from '../../src/db/database.ts'
import { firstIdAt } from '../../src/lib/ids.ts'

// A statement has a few seconds.
const CHUNK = 50_000

/** Adds `count` free transactions to the history of the first wallets, spread over the last hours. */
export async function fillHistory(database: Database, count: number): Promise<void> {
  process.stderr.write(`writing ${count} transactions …\n`)
  for (let written = 0; written < count; written += CHUNK)
    await addTransactions(database, Math.min(CHUNK, count - written))
  await database.query('vacuum analyze transactions')
}

async function addTransactions(database: Database, count: number): Promise<void> {
  const startMs = Date.now() - 6 * 3_600_000
  // The first 48 bits of an id are its time. The rest must be unique.
  await database.query(
    `insert into transactions (id, wallet_id, sequence, day, kind, status, held_micros, amount_micros, balance_after_micros, book, latency_ms, service, action)
     select (substr($1, 1, 3) || lpad(to_hex(('x' || substr($1, 4, 9))::bit(36)::bigint + place * 21600000 / $2::bigint), 9, '0') || '7' || substr(replace(gen_random_uuid()::text, '-', ''), 14))::uuid,
       wallets.id, wallets.posted + place, 0, 'call', 'settled', 10000, 0, wallets.balance_micros, 'revenue', 12, 'semantic', 'search'
     from (select * from wallets order by id limit 1) as wallets, generate_series(1, $2::bigint) as place`,
    [firstIdAt(startMs), count],
  )
  await database.query(
    'update wallets set posted = posted + $1 where id = (select min(id) from wallets)',
    [count],
  )
}
