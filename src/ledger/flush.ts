import { flushOneByOne, isForOneByOne } from './flush-one-by-one.ts'
import type { FlushRow } from './flush-statement.ts'
import { flushTogether } from './flush-together.ts'
import type { HoldRequest, HoldVerdict, Resolution, ResolutionVerdict, WalletState } from './hold.ts'

/** Everything that one commit carries. */
export type Batch = { readonly nowMs: number; readonly resolutions: readonly Resolution[]; readonly holds: readonly HoldRequest[] }

export type BatchResult = {
  readonly resolved: readonly ResolutionVerdict[]
  readonly opened: readonly HoldVerdict[]
  readonly wallets: ReadonlyMap<number, WalletState>
}

/** What a flush needs of a connection, be it the ledger's own or one with a transaction in progress. */
export type FlushClient = {
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- as pg's own signature: whoever asks knows the columns
  query<Row>(statement: { readonly name: string; readonly text: string; readonly values: (string | number | null)[] }): Promise<{ readonly rows: readonly Row[] }>
}

/** Commits the batch in one statement, one transaction, one round trip. Throws when the database does. */
export async function flushBatch(client: FlushClient, batch: Batch): Promise<BatchResult> {
  const { name, text, values, read } = isForOneByOne(batch) ? flushOneByOne(batch) : flushTogether(batch)
  const { rows } = await client.query<FlushRow>({ name, text, values })
  return read(rows)
}
