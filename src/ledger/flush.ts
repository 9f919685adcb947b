import type { Statement } from '../db/pipeline/statement-bytes.ts'
import type { Batch, BatchResult } from './batch.ts'
import { flushOneByOne, isForOneByOne } from './flush-one-by-one.ts'
import type { CommitMode, FlushRow } from './flush-statement.ts'
import { flushTogether } from './flush-together.ts'

/** A connection for flushes: the ledger's own, or one with a transaction in progress. */
export type FlushClient = {
  query(statement: Statement): Promise<{ readonly rows: readonly FlushRow[] }>
}

/**
 * Commits the batch in one statement, one transaction and one round trip. Throws the database's
 * error. A batch with a resolution waits for the disk, which includes every earlier commit. A batch
 * of holds reaches the disk a moment later.
 */
export function flushBatch(client: FlushClient, batch: Batch): Promise<BatchResult> {
  return run(client, batch, batch.resolutions.length === 0 ? 'deferred' : 'durable')
}

/** Runs the batch inside a transaction in progress, whose commit waits for the disk. */
export function flushWithin(client: FlushClient, batch: Batch): Promise<BatchResult> {
  return run(client, batch, 'durable')
}

async function run(client: FlushClient, batch: Batch, commit: CommitMode): Promise<BatchResult> {
  const { name, text, values, read } = isForOneByOne(batch)
    ? flushOneByOne(batch, commit)
    : flushTogether(batch, commit)
  const { rows } = await client.query({ name, text, values })
  return read(rows)
}
