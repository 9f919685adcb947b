import { invariant } from '../errors/app-error.ts'
import type { Batch } from './batch.ts'
import {
  holdVerdict,
  keptLatency,
  MOMENT,
  momentOf,
  resolutionVerdict,
  selectFrom,
  walletsIn,
  type FlushStatement,
  type ToDisk,
} from './flush-statement.ts'
import {
  attributesJson,
  type HoldRequest,
  type HoldVerdict,
  type Resolution,
  type ResolutionVerdict,
  type WalletState,
} from './hold.ts'

// From here on what a set costs once is less than what each call costs alone.
const MOST = 3

const HOLD = {
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
} as const
const RESOLUTION = {
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
  },
} as const

/** One operation: which function takes it, and its place among the batch's holds or resolutions. */
type Step = {
  readonly one: typeof HOLD | typeof RESOLUTION
  readonly place: number
  readonly walletId: number
  readonly values: readonly (string | number | null)[]
}

/** Few operations, none with an idempotency key: each has its own row, and all are one statement and so one commit. */
export function isForOneByOne({ resolutions, holds }: Batch): boolean {
  return (
    resolutions.length + holds.length <= MOST &&
    resolutions.every(({ answer }) => answer === undefined) &&
    holds.every(({ claim }) => claim === null)
  )
}

export function flushOneByOne(
  { nowMs, resolutions, holds }: Batch,
  toDisk: ToDisk,
): FlushStatement {
  const now = Object.values(momentOf(nowMs))
  // Wallets in the order of their ids, so that processes never wait for each other in a circle; a budget belongs to one
  // account's wallet. The sort is stable: on each wallet resolutions come first and make room.
  const steps = [
    ...resolutions.map((resolution, place) => stepOfResolution(resolution, place, now)),
    ...holds.map((hold, place) => stepOfHold(hold, place, now)),
  ].sort((a, b) => a.walletId - b.walletId)
  const name = `ledger_one_by_one_${steps.map(({ one }) => one.letter).join('')}_${toDisk}`
  return {
    name,
    text: textOf(name, steps, toDisk),
    values: steps.flatMap(({ values }) => values),
    read: (rows) => {
      const resolved: ResolutionVerdict[] = []
      const opened: HoldVerdict[] = []
      const wallets = new Map<number, WalletState>()
      for (const [index, { one, place, walletId }] of steps.entries()) {
        const row = rows[index]
        invariant(row !== undefined, 'every operation is answered with a row')
        if (one === HOLD) opened[place] = holdVerdict(row.opened)
        else resolved[place] = resolutionVerdict(row.resolved)
        for (const [id, state] of walletsIn(row, [walletId])) wallets.set(id, state)
      }
      return { resolved, opened, wallets }
    },
  }
}

function stepOfHold(hold: HoldRequest, place: number, now: readonly number[]): Step {
  const { walletId, budgetId, id, amount, deadlineMs, kind } = hold
  return {
    one: HOLD,
    place,
    walletId,
    values: [
      ...now,
      walletId,
      budgetId,
      id,
      amount.toString(),
      deadlineMs,
      kind,
      attributesJson(hold),
    ],
  }
}

function stepOfResolution(resolution: Resolution, place: number, now: readonly number[]): Step {
  const {
    hold: { id, walletId, budgetId },
    charge,
    errorCode,
    hops,
  } = resolution
  return {
    one: RESOLUTION,
    place,
    walletId,
    values: [
      ...now,
      walletId,
      budgetId,
      id,
      charge.toString(),
      keptLatency(resolution),
      errorCode,
      hops,
    ],
  }
}

// One for each order of up to three holds and resolutions.
const texts = new Map<string, string>()

// An append of functions runs them in the order in which they are written.
function textOf(name: string, steps: readonly Step[], toDisk: ToDisk): string {
  const known = texts.get(name)
  if (known !== undefined) return known
  let next = 1
  const selects = steps.map(({ one }) => {
    const text = selectFrom(one.name, one.parameters, toDisk, next)
    next += Object.keys(one.parameters).length
    return text
  })
  const text = selects.join(' union all ')
  texts.set(name, text)
  return text
}
