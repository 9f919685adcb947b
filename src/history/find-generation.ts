import { AppError } from '../errors/app-error.ts'
import { DAY_MS } from '../lib/clock.ts'
import { firstIdAt, parsePublicId, type Id } from '../lib/ids.ts'
import { onlyMaker, type Owner } from '../lib/owner.ts'
import type { HistoryDatabase } from './histories.ts'
import { listTransactions } from './list-transactions.ts'
import { seenBy } from './transaction-filter.ts'
import type { TransactionRecord } from './transaction-record.ts'

// An upstream's id has no index, and the lookup is free: it reads a bounded number of rows.
const LOOKED_THROUGH = 1_000
const RECENT_MS = DAY_MS

export type GenerationReader = {
  readonly database: HistoryDatabase
  readonly owner: Owner
  readonly walletId: number
  readonly nowMs: number
}

/**
 * The finished language-model call with this request id, transaction id or upstream's id of the
 * response. The last finds only the latest thousand transactions of a day. Throws AppError
 * unknown_transaction.
 */
export async function findGeneration(
  reader: GenerationReader,
  name: string,
): Promise<TransactionRecord> {
  const { database, owner, walletId } = reader
  const own = parsePublicId('request', name) ?? parsePublicId('transaction', name)
  const id = own ?? (await findByUpstreamId(reader, name))
  const page =
    id === null
      ? null
      : await listTransactions(database, {
          walletId,
          filter: { id, kind: 'llm', ...seenBy(owner) },
          cursor: null,
          limit: 1,
        })
  const found = page?.transactions[0]
  if (found === undefined || found.status === 'held')
    throw new AppError('unknown_transaction', 'No finished language-model call has this id.', {
      param: 'id',
      fix: 'Send the X-Request-Id of a response. The id in a response works for one day, among the latest 1000 transactions.',
    })
  return found
}

async function findByUpstreamId(
  { database, owner, walletId, nowMs }: GenerationReader,
  name: string,
): Promise<Id | null> {
  const { rows } = await database.query<{ id: Id }>(
    `select id from (
       select id, kind, budget_id, hops from transactions where wallet_id = $1 and id >= $2 order by id desc limit $3
     ) as recent where kind = 'llm' and ($4::uuid is null or budget_id = $4) and hops::jsonb @> $5::jsonb order by id desc limit 1`,
    [
      walletId,
      firstIdAt(nowMs - RECENT_MS),
      LOOKED_THROUGH,
      onlyMaker(owner),
      JSON.stringify([{ generation_id: name }]),
    ],
  )
  return rows[0]?.id ?? null
}
