import { invariant } from '../errors/app-error.ts'
import type { Id } from '../lib/ids.ts'
import type { HoldRequest, HoldVerdict, Resolution, ResolutionVerdict, WalletState } from './hold.ts'
import { windowStarts } from './windows.ts'

/** Everything that one commit carries. */
export type Batch = { readonly nowMs: number; readonly resolutions: readonly Resolution[]; readonly holds: readonly HoldRequest[] }

export type BatchResult = {
  readonly resolved: readonly ResolutionVerdict[]
  readonly opened: readonly HoldVerdict[]
  readonly wallets: ReadonlyMap<number, WalletState>
}

const RESOLUTION_VERDICTS: Record<string, ResolutionVerdict> = { k: 'resolved', g: 'gone' }
const HOLD_VERDICTS: Record<string, HoldVerdict> = { o: 'opened', c: 'credit_short', l: 'limit_reached', p: 'paused', x: 'closed', r: 'repeated' }

const CASTS = [
  'bigint', 'integer', 'integer', 'integer', 'bigint[]', 'uuid[]',
  'uuid[]', 'integer[]', 'integer[]', 'bigint[]', 'integer[]', 'text[]', 'text[]',
  'integer[]', 'smallint[]', 'text[]',
  'uuid[]', 'integer[]', 'integer[]', 'bigint[]', 'bigint[]', 'text[]', 'text[]', 'text[]', 'text[]',
  'uuid[]', 'text[]', 'text[]', 'uuid[]', 'text[]', 'bigint[]',
]
const STATEMENT = `select resolved, opened, balances, helds from ledger_flush(${CASTS.map((cast, index) => `$${index + 1}::${cast}`).join(', ')})`

/** What a flush needs of a connection, be it the ledger's own or one with a transaction in progress. */
export type FlushClient = {
  query<Row>(statement: { readonly name: string; readonly text: string; readonly values: (string | number | null)[] }): Promise<{ readonly rows: readonly Row[] }>
}

/** Commits the batch in one statement, one transaction, one round trip. Throws when the database does. */
export async function flushBatch(client: FlushClient, batch: Batch): Promise<BatchResult> {
  const touched = touchedBy(batch)
  const result = await client.query<{ resolved: string | null; opened: string | null; balances: string[]; helds: string[] }>({
    name: 'ledger_flush',
    text: STATEMENT,
    values: encode(batch, touched),
  })
  const row = result.rows[0]
  invariant(row !== undefined, 'a flush answers with one row')
  const wallets = new Map<number, WalletState>()
  for (const [id, place] of touched.wallets) wallets.set(id, { balance: BigInt(row.balances[place - 1] ?? 0), held: BigInt(row.helds[place - 1] ?? 0) })
  return { resolved: verdictsOf(row.resolved, RESOLUTION_VERDICTS), opened: verdictsOf(row.opened, HOLD_VERDICTS), wallets }
}

function verdictsOf<Kind>(letters: string | null, verdicts: Readonly<Record<string, Kind>>): Kind[] {
  return Array.from(letters ?? '', (letter) => {
    const verdict = verdicts[letter]
    invariant(verdict !== undefined, `"${letter}" is a verdict`)
    return verdict
  })
}

/** Place of each wallet and budget in the sorted lists that the statement locks. The first is 1; 0 is "no budget". */
type Touched = { readonly wallets: ReadonlyMap<number, number>; readonly budgets: ReadonlyMap<Id | null, number> }

function touchedBy({ resolutions, holds }: Batch): Touched {
  const wallets = new Set<number>()
  const budgets = new Set<Id>()
  for (const { walletId, budgetId } of [...resolutions.map(({ hold }) => hold), ...holds]) {
    wallets.add(walletId)
    if (budgetId !== null) budgets.add(budgetId)
  }
  return {
    wallets: new Map([...wallets].sort((a, b) => a - b).map((id, index) => [id, index + 1])),
    budgets: new Map<Id | null, number>([...budgets].sort().map((id, index) => [id, index + 1])),
  }
}

// The arrays are written as PostgreSQL array literals here: pg would quote and escape every id and number.
function encode(batch: Batch, { wallets, budgets }: Touched): (string | number | null)[] {
  const { nowMs, resolutions, holds } = batch
  const { today, thisWeek, thisMonth } = windowStarts(nowMs)
  const answered = resolutions.flatMap(({ answer }, index) => (answer === undefined ? [] : [{ place: index + 1, answer }]))
  const claims = holds.flatMap(({ id, claim }) => (claim === null ? [] : [{ id, ...claim }]))
  return [
    nowMs, today, thisWeek, thisMonth,
    plain([...wallets.keys()], (id) => id), plain([...budgets.keys()], (id) => id),
    plain(resolutions, ({ hold }) => hold.id), plain(resolutions, ({ hold }) => wallets.get(hold.walletId) ?? null), plain(resolutions, ({ hold }) => budgets.get(hold.budgetId) ?? 0),
    plain(resolutions, ({ charge }) => charge), plain(resolutions, ({ latencyMs }) => Math.round(latencyMs)),
    quoted(resolutions, ({ errorCode }) => errorCode), quoted(resolutions, ({ hops }) => hops),
    plain(answered, ({ place }) => place), plain(answered, ({ answer }) => answer?.status ?? null), quoted(answered, ({ answer }) => answer?.body ?? null),
    plain(holds, ({ id }) => id), plain(holds, ({ walletId }) => wallets.get(walletId) ?? null), plain(holds, ({ budgetId }) => budgets.get(budgetId) ?? 0),
    plain(holds, ({ amount }) => amount), plain(holds, ({ deadlineMs }) => deadlineMs),
    plain(holds, ({ kind }) => kind), quoted(holds, ({ service }) => service), quoted(holds, ({ action }) => action), quoted(holds, ({ externalId }) => externalId),
    plain(claims, ({ accountId }) => accountId), quoted(claims, ({ route }) => route), quoted(claims, ({ idempotencyKey }) => idempotencyKey),
    plain(claims, ({ id }) => id), plain(claims, ({ fingerprint }) => fingerprint), plain(claims, ({ expiresMs }) => expiresMs),
  ]
}

/** An array literal of values that need no quotes: numbers and ids. None is null, which costs PostgreSQL nothing to read. */
function plain<Item>(items: readonly Item[], pick: (item: Item) => string | number | bigint | null): string | null {
  if (items.length === 0) return null
  let text = '{'
  for (let place = 0; place < items.length; place += 1) {
    const value = pick(items[place] as Item)
    text += place === 0 ? (value ?? 'null') : `,${value ?? 'null'}`
  }
  return `${text}}`
}

const NEEDS_ESCAPE = /["\\]/g

function quoted<Item>(items: readonly Item[], pick: (item: Item) => string | null): string | null {
  if (items.length === 0) return null
  let text = '{'
  for (let place = 0; place < items.length; place += 1) {
    const value = pick(items[place] as Item)
    if (place > 0) text += ','
    text += value === null ? 'null' : `"${value.replace(NEEDS_ESCAPE, '\\$&')}"`
  }
  return `${text}}`
}
