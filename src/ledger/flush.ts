import type { Statement } from '../db/statement-line/statement-bytes.ts'
import type { Batch, BatchResult } from './batch.ts'
import { flushOneByOne, isForOneByOne } from './flush-one-by-one.ts'
import type { FlushRow, ToDisk } from './flush-statement.ts'
import { flushTogether } from './flush-together.ts'

/** What a flush needs of a connection, be it the ledger's own or one with a transaction in progress. */
export type FlushClient = {
  query(statement: Statement): Promise<{ readonly rows: readonly FlushRow[] }>
}

/**
 * Commits the batch in one statement, one transaction, one round trip. Throws when the database does. Every process sees
 * it then. One that resolves something has also reached the disk, with all that was committed before it; one that only
 * holds gets there by itself a moment later, or with the next that resolves.
 */
export function flushBatch(client: FlushClient, batch: Batch): Promise<BatchResult> {
  return run(client, batch, batch.resolutions.length === 0 ? 'later' : 'at-once')
}

/** The same as part of a transaction in progress, which decides itself what its commit waits for. */
export function flushWithin(client: FlushClient, batch: Batch): Promise<BatchResult> {
  return run(client, batch, 'at-once')
}

async function run(client: FlushClient, batch: Batch, toDisk: ToDisk): Promise<BatchResult> {
  const { name, text, values, read } = isForOneByOne(batch)
    ? flushOneByOne(batch, toDisk)
    : flushTogether(batch, toDisk)
  const { rows } = await client.query({ name, text, values })
  return read(rows)
}
