import { invariant } from '../errors/app-error.ts'
import { statementFor } from './flush-statements.ts'
import type { HoldRequest, HoldVerdict, Resolution, ResolutionVerdict, WalletState } from './hold.ts'

/** Everything that one commit carries. */
export type Batch = { readonly nowMs: number; readonly resolutions: readonly Resolution[]; readonly holds: readonly HoldRequest[] }

export type BatchResult = {
  readonly resolved: readonly ResolutionVerdict[]
  readonly opened: readonly HoldVerdict[]
  readonly wallets: ReadonlyMap<number, WalletState>
}

const RESOLUTION_VERDICTS: Record<string, ResolutionVerdict> = { k: 'resolved', g: 'gone' }
const HOLD_VERDICTS: Record<string, HoldVerdict> = { o: 'opened', c: 'credit_short', l: 'limit_reached', p: 'paused', x: 'closed', r: 'repeated' }

/** What a flush needs of a connection, be it the ledger's own or one with a transaction in progress. */
export type FlushClient = {
  query<Row>(statement: { readonly name: string; readonly text: string; readonly values: (string | number | null)[] }): Promise<{ readonly rows: readonly Row[] }>
}

/** Commits the batch in one statement, one transaction, one round trip. Throws when the database does. */
export async function flushBatch(client: FlushClient, batch: Batch): Promise<BatchResult> {
  const { name, text, values, walletIds } = statementFor(batch)
  const result = await client.query<{ resolved: string | null; opened: string | null; balances: string[]; helds: string[] }>({ name, text, values })
  const row = result.rows[0]
  invariant(row !== undefined, 'a flush answers with one row')
  const wallets = new Map<number, WalletState>()
  for (const [place, id] of walletIds.entries()) wallets.set(id, { balance: BigInt(row.balances[place] ?? 0), held: BigInt(row.helds[place] ?? 0) })
  return { resolved: verdictsOf(row.resolved, RESOLUTION_VERDICTS), opened: verdictsOf(row.opened, HOLD_VERDICTS), wallets }
}

function verdictsOf<Kind>(letters: string | null, verdicts: Readonly<Record<string, Kind>>): Kind[] {
  return Array.from(letters ?? '', (letter) => {
    const verdict = verdicts[letter]
    invariant(verdict !== undefined, `"${letter}" is a verdict`)
    return verdict
  })
}
