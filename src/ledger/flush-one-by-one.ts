import { invariant } from '../errors/app-error.ts'
import { uncountedIn, type Batch } from './batch.ts'
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
  type Parameters,
} from './flush-statement.ts'
import {
  attributesJson,
  type HoldRequest,
  type HoldVerdict,
  type Resolution,
  type ResolutionVerdict,
  type WalletState,
} from './hold.ts'

// Above it, a batch is faster.
const MOST = 3

/** A call of a ledger function. The letters of a statement's operations are part of its name. */
type Operation = { readonly letter: string; readonly name: string; readonly parameters: Parameters }

const HOLD: Operation = {
  letter: 'h',
  name: 'ledger_hold_one',
  parameters: {
    ...MOMENT,
    h_wallet: 'bigint',
    h_budget: 'uuid',
    h_id: 'uuid',
    h_amount: 'bigint',
    h_deadline: 'bigint',
    h_kind: 'text',
    h_attributes: 'jsonb',
  },
}
const CLAIMING_HOLD: Operation = {
  letter: 'c',
  name: HOLD.name,
  parameters: {
    ...HOLD.parameters,
    c_account: 'uuid',
    c_route: 'text',
    c_key: 'text',
    c_fingerprint: 'text',
    c_expires: 'bigint',
  },
}
const RESOLUTION: Operation = {
  letter: 'r',
  name: 'ledger_resolve_one',
  parameters: {
    ...MOMENT,
    r_wallet: 'bigint',
    r_budget: 'uuid',
    r_id: 'uuid',
    r_charge: 'bigint',
    r_latency: 'integer',
    r_error: 'text',
    r_hops: 'text',
    is_marked: 'boolean',
  },
}
const ANSWERING_RESOLUTION: Operation = {
  letter: 'a',
  name: RESOLUTION.name,
  parameters: {
    ...RESOLUTION.parameters,
    a_claimed: 'boolean',
    a_status: 'smallint',
    a_body: 'text',
  },
}

/** One operation, and its place among the batch's holds or resolutions. */
type Step = {
  readonly one: Operation
  readonly opens: boolean
  readonly place: number
  readonly walletId: number
  readonly values: readonly (string | number | null)[]
}

/**
 * Whether the batch has few operations, on budgets without others above them. Each operation locks its
 * wallet, budget and answer. Several operations would lock answers before the wallets of the next, so
 * an operation with an answer is alone.
 */
export function isForOneByOne({ resolutions, holds }: Batch): boolean {
  const count = resolutions.length + holds.length
  const hasAnswers =
    resolutions.some(({ answer }) => answer !== undefined) ||
    holds.some(({ claim }) => claim !== null)
  return (
    count <= (hasAnswers ? 1 : MOST) &&
    holds.every(isTopmost) &&
    resolutions.every(({ hold }) => isTopmost(hold))
  )
}

function isTopmost({ ancestorIds = [] }: Pick<HoldRequest, 'ancestorIds'>): boolean {
  return ancestorIds.length === 0
}

/** A statement that calls one function per operation, in one commit. */
export function flushOneByOne(batch: Batch, commit: CommitMode): FlushStatement {
  const { nowMs, resolutions, holds } = batch
  const uncounted = uncountedIn(batch)
  const now = Object.values(momentOf(nowMs))
  // In the order of wallet ids, so that processes never deadlock; each budget belongs to one
  // wallet. The sort is stable: on each wallet resolutions come first, because they free credit.
  const steps = [
    ...resolutions.map((resolution, place) =>
      resolutionStep(resolution, place, [now, !uncounted.includes(resolution.hold.walletId)]),
    ),
    ...holds.map((hold, place) => holdStep(hold, place, now)),
  ].sort((a, b) => a.walletId - b.walletId)
  const name = `ledger_one_by_one_${steps.map(({ one }) => one.letter).join('')}_${commit}`
  return {
    name,
    text: textOf(name, steps, commit),
    values: steps.flatMap(({ values }) => values),
    read: (rows) => {
      const resolved: ResolutionVerdict[] = []
      const opened: HoldVerdict[] = []
      const wallets = new Map<number, WalletState>()
      for (const [index, { opens, place, walletId }] of steps.entries()) {
        const row = rows[index]
        invariant(row !== undefined, 'every operation returns a row')
        if (opens) opened[place] = holdVerdict(row.opened)
        else resolved[place] = resolutionVerdict(row.resolved)
        for (const [id, state] of walletsIn(row, [walletId])) wallets.set(id, state)
      }
      return { resolved, opened, wallets }
    },
  }
}

function holdStep(hold: HoldRequest, place: number, now: readonly number[]): Step {
  const { walletId, budgetId, id, amount, deadlineMs, kind, claim } = hold
  const values = [
    ...now,
    walletId,
    budgetId,
    id,
    amount.toString(),
    deadlineMs,
    kind,
    attributesJson(hold),
  ]
  if (claim === null) return { one: HOLD, opens: true, place, walletId, values }
  const { accountId, route, idempotencyKey, fingerprint, expiresMs } = claim
  return {
    one: CLAIMING_HOLD,
    opens: true,
    place,
    walletId,
    values: [...values, accountId, route, idempotencyKey, fingerprint, expiresMs],
  }
}

function resolutionStep(
  resolution: Resolution,
  place: number,
  [now, isMarked]: readonly [readonly number[], boolean],
): Step {
  const {
    hold: { id, walletId, budgetId },
    charge,
    errorCode,
    hops,
    answer,
  } = resolution
  const values = [
    ...now,
    walletId,
    budgetId,
    id,
    charge.toString(),
    storedLatency(resolution),
    errorCode,
    hops,
    String(isMarked),
  ]
  if (answer === undefined) return { one: RESOLUTION, opens: false, place, walletId, values }
  return {
    one: ANSWERING_RESOLUTION,
    opens: false,
    place,
    walletId,
    values: [...values, 'true', answer?.status ?? null, answer?.body ?? null],
  }
}

// One text for each order of up to three operations.
const texts = new Map<string, string>()

// PostgreSQL runs the branches of `union all` in their order.
function textOf(name: string, steps: readonly Step[], commit: CommitMode): string {
  const known = texts.get(name)
  if (known !== undefined) return known
  let next = 1
  const selects = steps.map(({ one }) => {
    const text = selectFrom(one.name, one.parameters, commit, next)
    next += Object.keys(one.parameters).length
    return text
  })
  const text = selects.join(' union all ')
  texts.set(name, text)
  return text
}
