import { invariant } from '../errors/app-error.ts'
import type { Id } from '../lib/ids.ts'
import type { Micros } from '../lib/money.ts'
import { jsonTextArray as jsonTexts } from './array-literals.ts'
import { uncountedIn, type Batch } from './batch.ts'
import { bigintArray, integerArray, smallintArray, textArray, uuidArray } from './binary-arrays.ts'
import {
  holdVerdict,
  storedLatency,
  MOMENT,
  momentOf,
  resolutionVerdict,
  selectFrom,
  walletsIn,
  type FlushStatement,
  type CommitMode,
} from './flush-statement.ts'
import { attributesJson, type HoldRequest, type Resolution } from './hold.ts'

const NAME = 'ledger_flush_together'
const PARAMETERS = {
  ...MOMENT,
  wallet_ids: 'bigint[]',
  w_charge: 'bigint[]',
  w_release: 'bigint[]',
  w_hold: 'bigint[]',
  w_posts: 'integer[]',
  budget_ids: 'uuid[]',
  b_charge: 'bigint[]',
  b_release: 'bigint[]',
  b_hold: 'bigint[]',
  i_wallet: 'bigint[]',
  i_release: 'bigint[]',
  i_hold: 'bigint[]',
  r_id: 'uuid[]',
  r_wallet: 'integer[]',
  r_budget: 'integer[]',
  r_charge: 'bigint[]',
  r_latency: 'integer[]',
  r_error: 'text[]',
  r_hops: 'text[]',
  r_amount: 'bigint[]',
  r_later: 'integer[]',
  r_rest: 'bigint[]',
  a_place: 'integer[]',
  a_status: 'smallint[]',
  a_body: 'text[]',
  a_bodies: 'text',
  a_from: 'integer[]',
  a_length: 'integer[]',
  h_id: 'uuid[]',
  h_wallet: 'integer[]',
  h_budget: 'integer[]',
  h_amount: 'bigint[]',
  h_deadline: 'bigint[]',
  h_kind: 'text[]',
  h_attributes: 'integer[]',
  attribute_sets: 'jsonb[]',
  c_account: 'uuid[]',
  c_route: 'text[]',
  c_key: 'text[]',
  c_call: 'uuid[]',
  c_fingerprint: 'text[]',
  c_expires: 'bigint[]',
  b_parent: 'uuid[]',
  uncounted: 'bigint[]',
} as const
type Parameter = keyof typeof PARAMETERS
const NAMES = Object.keys(PARAMETERS) as Parameter[]
const TEXTS: Readonly<Record<CommitMode, string>> = {
  durable: selectFrom(NAME, PARAMETERS, 'durable'),
  deferred: selectFrom(NAME, PARAMETERS, 'deferred'),
}

/**
 * The sums by which a batch changes one wallet or budget, and its place, from 1, in the sorted
 * list.
 */
type Moves = { place: number; charge: Micros; release: Micros; hold: Micros; posts: number }
type Touched<Key> = ReadonlyMap<Key, Moves>
/** The number and charges of later transactions of this batch on the same wallet. */
type Later = { readonly posts: number; readonly charge: Micros }

/** A statement that writes any number of calls as a whole if all of them are ordinary. */
export function flushTogether(batch: Batch, commit: CommitMode): FlushStatement {
  const { nowMs, resolutions, holds } = batch
  const paths = pathsIn(resolutions, holds)
  const wallets = touched<number>(resolutions, holds, ({ walletId }) => [walletId])
  const budgets = touched<Id>(resolutions, holds, (call) => paths.of(call))
  const moves = { wallets, budgets, paths }
  const later = addResolutions(resolutions, moves)
  addHolds(holds, moves)
  const walletIds = [...wallets.keys()]
  const inference = [...sumInference(resolutions, holds)]
  const [byWallet, byBudget] = [[...wallets.values()], [...budgets.values()]]
  const answered = resolutions.flatMap(({ answer }, index) =>
    answer === undefined ? [] : [{ place: index + 1, answer }],
  )
  const bodies = joinBodies(answered.map(({ answer }) => answer?.body ?? ''))
  const attributes = distinctTexts()
  const claims = holds.flatMap(({ id, claim }) => (claim === null ? [] : [{ id, ...claim }]))
  const walletPlace = ({ walletId }: { readonly walletId: number }): number | null =>
    wallets.get(walletId)?.place ?? null
  const budgetPlace = ({ budgetId }: { readonly budgetId: Id | null }): number =>
    budgetId === null ? 0 : (budgets.get(budgetId)?.place ?? 0)
  const values: Record<Parameter, string | number | Buffer | null> = {
    ...momentOf(nowMs),
    wallet_ids: bigintArray(walletIds, (id) => id),
    w_charge: bigintArray(byWallet, ({ charge }) => charge),
    w_release: bigintArray(byWallet, ({ release }) => release),
    w_hold: bigintArray(byWallet, ({ hold }) => hold),
    w_posts: integerArray(byWallet, ({ posts }) => posts),
    budget_ids: uuidArray([...budgets.keys()], (id) => id),
    b_charge: bigintArray(byBudget, ({ charge }) => charge),
    b_release: bigintArray(byBudget, ({ release }) => release),
    b_hold: bigintArray(byBudget, ({ hold }) => hold),
    i_wallet: bigintArray(inference, ([walletId]) => walletId),
    i_release: bigintArray(inference, ([, { release }]) => release),
    i_hold: bigintArray(inference, ([, { hold }]) => hold),
    r_id: uuidArray(resolutions, ({ hold }) => hold.id),
    r_wallet: integerArray(resolutions, ({ hold }) => walletPlace(hold)),
    r_budget: integerArray(resolutions, ({ hold }) => budgetPlace(hold)),
    r_charge: bigintArray(resolutions, ({ charge }) => charge),
    r_latency: integerArray(resolutions, storedLatency),
    r_error: textArray(resolutions, ({ errorCode }) => errorCode),
    r_hops: jsonTexts(resolutions, ({ hops }) => hops),
    r_amount: bigintArray(resolutions, heldFor),
    r_later: integerArray(later, ({ posts }) => posts),
    r_rest: bigintArray(later, ({ charge }) => charge),
    a_place: integerArray(answered, ({ place }) => place),
    a_status: smallintArray(answered, ({ answer }) => answer?.status ?? null),
    a_body: null,
    a_bodies: bodies.text,
    a_from: integerArray(bodies.spans, ({ from }) => from),
    a_length: integerArray(bodies.spans, ({ length }) => length),
    h_id: uuidArray(holds, ({ id }) => id),
    h_wallet: integerArray(holds, walletPlace),
    h_budget: integerArray(holds, budgetPlace),
    h_amount: bigintArray(holds, ({ amount }) => amount),
    h_deadline: bigintArray(holds, ({ deadlineMs }) => deadlineMs),
    h_kind: textArray(holds, ({ kind }) => kind),
    h_attributes: integerArray(holds, (hold) => attributes.placeOf(attributesJson(hold))),
    attribute_sets: jsonTexts(attributes.sets, (set) => set),
    c_account: uuidArray(claims, ({ accountId }) => accountId),
    c_route: textArray(claims, ({ route }) => route),
    c_key: textArray(claims, ({ idempotencyKey }) => idempotencyKey),
    c_call: uuidArray(claims, ({ id }) => id),
    c_fingerprint: textArray(claims, ({ fingerprint }) => fingerprint),
    c_expires: bigintArray(claims, ({ expiresMs }) => expiresMs),
    b_parent: uuidArray([...budgets.keys()], (id) => paths.parentOf(id)),
    uncounted: bigintArray(uncountedIn(batch), (id) => id),
  }
  return {
    name: `${NAME}_${commit}`,
    text: TEXTS[commit],
    values: NAMES.map((parameter) => values[parameter]),
    read: ([row]) => {
      invariant(row !== undefined, 'a flush returns one row')
      return {
        resolved: Array.from(row.resolved ?? '', resolutionVerdict),
        opened: Array.from(row.opened ?? '', holdVerdict),
        wallets: walletsIn(row, walletIds),
      }
    },
  }
}

/** One text of all bodies, with the first byte of each, from 1, and its length in UTF-8. */
function joinBodies(bodies: readonly string[]): {
  readonly text: string
  readonly spans: readonly { readonly from: number; readonly length: number }[]
} {
  let from = 1
  const spans = bodies.map((body) => {
    const span = { from, length: Buffer.byteLength(body) }
    from += span.length
    return span
  })
  return { text: bodies.join(''), spans }
}

/** Collects each text once. The first has place 1. */
function distinctTexts(): { readonly sets: readonly string[]; placeOf(text: string): number } {
  const places = new Map<string, number>()
  const sets: string[] = []
  return {
    sets,
    placeOf(text) {
      const place = places.get(text)
      if (place !== undefined) return place
      places.set(text, sets.push(text))
      return sets.length
    },
  }
}

type Charged = Resolution['hold']

/** The budgets in which a call counts: its own, and those above it. */
type Paths = {
  of(call: Charged): readonly Id[]
  /** The budget above, to whose sums those of this one are added. */
  parentOf(budgetId: Id): Id | null
}

// A budget has the same path in every call. If no call names it, the statement finds out.
function pathsIn(resolutions: readonly Resolution[], holds: readonly HoldRequest[]): Paths {
  const paths = new Map<Id, readonly Id[]>()
  const parents = new Map<Id, Id>()
  for (const { budgetId, ancestorIds = [] } of [...resolutions.map(({ hold }) => hold), ...holds]) {
    if (budgetId === null || ancestorIds.length === 0 || paths.has(budgetId)) continue
    const path = [...ancestorIds, budgetId]
    for (const [place, id] of path.entries()) {
      paths.set(id, path.slice(0, place + 1))
      const above = path[place - 1]
      if (above !== undefined) parents.set(id, above)
    }
  }
  return {
    of: ({ budgetId }) => (budgetId === null ? [] : (paths.get(budgetId) ?? [budgetId])),
    parentOf: (budgetId) => parents.get(budgetId) ?? null,
  }
}

function touched<Key extends number | string>(
  resolutions: readonly Resolution[],
  holds: readonly HoldRequest[],
  keysOf: (call: Charged) => readonly Key[],
): Touched<Key> {
  const keys = new Set<Key>()
  for (const { hold } of resolutions) for (const key of keysOf(hold)) keys.add(key)
  for (const hold of holds) for (const key of keysOf(hold)) keys.add(key)
  const sorted = [...keys].sort((a, b) => (a < b ? -1 : 1))
  return new Map(
    sorted.map((key, index) => [
      key,
      { place: index + 1, charge: 0n, release: 0n, hold: 0n, posts: 0 },
    ]),
  )
}

// Without a known amount the resolution is not ordinary: no hold has the amount zero.
const heldFor = ({ hold }: Pick<Resolution, 'hold'>): Micros => hold.amount ?? 0n

type AllMoves = {
  readonly wallets: Touched<number>
  readonly budgets: Touched<Id>
  readonly paths: Paths
}

function movesOf(call: Charged, { wallets, budgets, paths }: AllMoves): readonly Moves[] {
  return [
    wallets.get(call.walletId) as Moves,
    ...paths.of(call).map((id) => budgets.get(id) as Moves),
  ]
}

/** Adds the resolutions from last to first, so that each sees the later ones on its wallet. */
function addResolutions(resolutions: readonly Resolution[], moves: AllMoves): Later[] {
  const later: Later[] = []
  for (const { hold, charge } of resolutions.toReversed()) {
    const wallet = moves.wallets.get(hold.walletId) as Moves
    later.push({ posts: wallet.posts, charge: wallet.charge })
    wallet.posts += 1
    for (const moved of movesOf(hold, moves)) {
      moved.charge += charge
      moved.release += hold.amount ?? 0n
    }
  }
  return later.reverse()
}

/**
 * The sums by which LLM calls change their wallets' days: new holds, and the unspent part of
 * resolved ones.
 */
function sumInference(
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

function addHolds(holds: readonly HoldRequest[], moves: AllMoves): void {
  for (const hold of holds) for (const moved of movesOf(hold, moves)) moved.hold += hold.amount
}
