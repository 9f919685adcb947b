import { invariant } from '../errors/app-error.ts'
import type { Id } from '../lib/ids.ts'
import type { Micros } from '../lib/money.ts'
import {
  jsonTextArray as jsonTexts,
  plainArray as plain,
  quotedArray as quoted,
} from './array-literals.ts'
import type { Batch } from './flush.ts'
import {
  holdVerdict,
  keptLatency,
  moment,
  resolutionVerdict,
  selectFrom,
  walletsIn,
  type FlushStatement,
  type ToDisk,
} from './flush-statement.ts'
import type { HoldRequest, Resolution } from './hold.ts'

const NAME = 'ledger_flush_together'
const CASTS = [
  'bigint[]',
  'bigint[]',
  'bigint[]',
  'integer[]',
  'bigint[]',
  'bigint[]',
  'bigint[]',
  'bigint[]',
  'integer[]',
  'bigint[]',
  'bigint',
  'integer',
  'integer',
  'integer',
  'bigint[]',
  'uuid[]',
  'uuid[]',
  'integer[]',
  'integer[]',
  'bigint[]',
  'integer[]',
  'text[]',
  'text[]',
  'integer[]',
  'smallint[]',
  'text[]',
  'uuid[]',
  'integer[]',
  'integer[]',
  'bigint[]',
  'bigint[]',
  'text[]',
  'text[]',
  'text[]',
  'text[]',
  'uuid[]',
  'text[]',
  'text[]',
  'uuid[]',
  'text[]',
  'bigint[]',
  'bigint[]',
  'bigint[]',
  'bigint[]',
]
const TEXTS: Readonly<Record<ToDisk, string>> = {
  'at-once': selectFrom(NAME, CASTS, 'at-once'),
  later: selectFrom(NAME, CASTS, 'later'),
}

/** What a batch moves one wallet or budget by, and its place in the sorted list that the statement locks. The first is 1. */
type Moves = { place: number; charge: Micros; release: Micros; hold: Micros; posts: number }
type Touched<Key> = ReadonlyMap<Key, Moves>
/** What a transaction needs to know of those that this batch posts after it to the same wallet. */
type Later = { readonly posts: number; readonly charge: Micros }

/** Any number of calls, written as a whole when all of them are ordinary. */
export function flushTogether(
  { nowMs, resolutions, holds }: Batch,
  toDisk: ToDisk,
): FlushStatement {
  const wallets = touched<number>(resolutions, holds, ({ walletId }) => walletId)
  const budgets = touched<Id>(resolutions, holds, ({ budgetId }) => budgetId)
  const later = addResolutions(resolutions, wallets, budgets)
  addHolds(holds, wallets, budgets)
  const walletIds = [...wallets.keys()]
  const inference = [...inferenceOf(resolutions, holds)]
  const [byWallet, byBudget] = [[...wallets.values()], [...budgets.values()]]
  const answered = resolutions.flatMap(({ answer }, index) =>
    answer === undefined ? [] : [{ place: index + 1, answer }],
  )
  const claims = holds.flatMap(({ id, claim }) => (claim === null ? [] : [{ id, ...claim }]))
  const walletPlace = ({ walletId }: { readonly walletId: number }): number | null =>
    wallets.get(walletId)?.place ?? null
  const budgetPlace = ({ budgetId }: { readonly budgetId: Id | null }): number =>
    budgetId === null ? 0 : (budgets.get(budgetId)?.place ?? 0)
  const values = [
    plain(byWallet, ({ charge }) => charge),
    plain(byWallet, ({ release }) => release),
    plain(byWallet, ({ hold }) => hold),
    plain(byWallet, ({ posts }) => posts),
    plain(byBudget, ({ charge }) => charge),
    plain(byBudget, ({ release }) => release),
    plain(byBudget, ({ hold }) => hold),
    plain(resolutions, heldFor),
    plain(later, ({ posts }) => posts),
    plain(later, ({ charge }) => charge),
    ...moment(nowMs),
    plain(walletIds, (id) => id),
    plain([...budgets.keys()], (id) => id),
    plain(resolutions, ({ hold }) => hold.id),
    plain(resolutions, ({ hold }) => walletPlace(hold)),
    plain(resolutions, ({ hold }) => budgetPlace(hold)),
    plain(resolutions, ({ charge }) => charge),
    plain(resolutions, keptLatency),
    quoted(resolutions, ({ errorCode }) => errorCode),
    jsonTexts(resolutions, ({ hops }) => hops),
    plain(answered, ({ place }) => place),
    plain(answered, ({ answer }) => answer?.status ?? null),
    quoted(answered, ({ answer }) => answer?.body ?? null),
    plain(holds, ({ id }) => id),
    plain(holds, walletPlace),
    plain(holds, budgetPlace),
    plain(holds, ({ amount }) => amount),
    plain(holds, ({ deadlineMs }) => deadlineMs),
    plain(holds, ({ kind }) => kind),
    quoted(holds, ({ service }) => service),
    quoted(holds, ({ action }) => action),
    quoted(holds, ({ externalId }) => externalId),
    plain(claims, ({ accountId }) => accountId),
    quoted(claims, ({ route }) => route),
    quoted(claims, ({ idempotencyKey }) => idempotencyKey),
    plain(claims, ({ id }) => id),
    plain(claims, ({ fingerprint }) => fingerprint),
    plain(claims, ({ expiresMs }) => expiresMs),
    plain(inference, ([walletId]) => walletId),
    plain(inference, ([, { release }]) => release),
    plain(inference, ([, { hold }]) => hold),
  ]
  return {
    name: `${NAME}_${toDisk}`,
    text: TEXTS[toDisk],
    values,
    read: ([row]) => {
      invariant(row !== undefined, 'a flush answers with one row')
      return {
        resolved: Array.from(row.resolved ?? '', resolutionVerdict),
        opened: Array.from(row.opened ?? '', holdVerdict),
        wallets: walletsIn(row, walletIds),
      }
    },
  }
}

function touched<Key extends number | string>(
  resolutions: readonly Resolution[],
  holds: readonly HoldRequest[],
  keyOf: (call: Resolution['hold']) => Key | null,
): Touched<Key> {
  const keys = new Set<Key>()
  const add = (key: Key | null): void => {
    if (key !== null) keys.add(key)
  }
  for (const { hold } of resolutions) add(keyOf(hold))
  for (const hold of holds) add(keyOf(hold))
  const sorted = [...keys].sort((a, b) => (a < b ? -1 : 1))
  return new Map(
    sorted.map((key, index) => [
      key,
      { place: index + 1, charge: 0n, release: 0n, hold: 0n, posts: 0 },
    ]),
  )
}

// A resolution that does not know what was held is not ordinary: nothing was held for nothing.
const heldFor = ({ hold }: Pick<Resolution, 'hold'>): Micros => hold.amount ?? 0n

/** From the last to the first, so that each finds what comes later on its wallet. */
function addResolutions(
  resolutions: readonly Resolution[],
  wallets: Touched<number>,
  budgets: Touched<Id>,
): Later[] {
  const later: Later[] = []
  for (const { hold, charge } of resolutions.toReversed()) {
    const wallet = wallets.get(hold.walletId) as Moves
    later.push({ posts: wallet.posts, charge: wallet.charge })
    wallet.posts += 1
    for (const moved of [wallet, hold.budgetId === null ? undefined : budgets.get(hold.budgetId)]) {
      if (moved === undefined) continue
      moved.charge += charge
      moved.release += hold.amount ?? 0n
    }
  }
  return later.reverse()
}

/** What language-model calls move their account's day by: holds take of it, and what was not spent comes back. */
function inferenceOf(
  resolutions: readonly Resolution[],
  holds: readonly HoldRequest[],
): ReadonlyMap<number, { release: Micros; hold: Micros }> {
  const days = new Map<number, { release: Micros; hold: Micros }>()
  const dayOf = (walletId: number): { release: Micros; hold: Micros } => {
    const known = days.get(walletId) ?? { release: 0n, hold: 0n }
    days.set(walletId, known)
    return known
  }
  for (const { hold, charge } of resolutions)
    if (hold.kind === 'llm') dayOf(hold.walletId).release += heldFor({ hold }) - charge
  for (const { kind, walletId, amount } of holds) if (kind === 'llm') dayOf(walletId).hold += amount
  return days
}

function addHolds(
  holds: readonly HoldRequest[],
  wallets: Touched<number>,
  budgets: Touched<Id>,
): void {
  for (const { walletId, budgetId, amount } of holds) {
    for (const moved of [
      wallets.get(walletId),
      budgetId === null ? undefined : budgets.get(budgetId),
    ]) {
      if (moved !== undefined) moved.hold += amount
    }
  }
}
