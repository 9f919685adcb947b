import type { Database } from '../../db/database.ts'
import type { Mode } from '../../lib/mode.ts'
import type { Id } from '../../lib/ids.ts'
import type { Micros } from '../../lib/money.ts'
import type { HoldRequest } from '../hold.ts'
import { windowStarts, type Period } from '../windows.ts'

/** Identifies what a limit applies to, in this process and in messages to others. */
export type Scope = string

type Charged = Pick<HoldRequest, 'walletId' | 'budgetId' | 'ancestorIds' | 'kind'>

const walletScope = ({ walletId }: Charged): Scope => `wallet/${walletId}`
const dayScope = ({ walletId }: Charged): Scope => `day/${walletId}`
const budgetScope = (budgetId: Id): Scope => `budget/${budgetId}`

/** The scopes of everything that limits a call, in the order in which a call waits for them. */
export function scopesOf(call: Charged): readonly Scope[] {
  const { budgetId, ancestorIds = [] } = call
  const scopes = budgetId === null ? [] : [budgetId, ...ancestorIds.toReversed()].map(budgetScope)
  if (call.kind === 'llm') scopes.push(dayScope(call))
  scopes.push(walletScope(call))
  return scopes
}

/** A limit of a call in its current window. `spent + held` never exceeds the ceiling. */
export type Limit = {
  readonly scope: Scope
  readonly ceiling: Micros
  readonly spent: Micros
  readonly held: Micros
} & (
  | { readonly kind: 'wallet'; readonly mode: Mode }
  | {
      readonly kind: 'budget'
      readonly period: Period
      readonly budgetId: Id
      /** It is above the budget of the call. */
      readonly isAbove: boolean
    }
  | { readonly kind: 'day' }
)

/** A budget that opens no holds, for itself and all below it. */
export type Stopped = {
  readonly state: 'paused' | 'expired' | 'closed'
  readonly budgetId: Id | null
  readonly isAbove: boolean
}

/** The limits of a call, in the order of `scopesOf`. A budget that is not open has the state alone. */
export type Limits = { readonly state: 'open'; readonly limits: readonly Limit[] } | Stopped

const DEFAULT_DAILY_CAP: Micros = 10_000_000n

// A hold counts in the window in which it was opened. A window that has ended counts nothing.
const READ_LIMITS = `select balance_micros, wallets.held_micros, mode, budgets.id as budget_id, state, expires_ms <= $7 as is_expired,
    ceiling_micros, period,
    case period when 'day' then case when day_start >= $4 then day_spent else 0 end
      when 'week' then case when week_start >= $5 then week_spent else 0 end
      when 'month' then case when month_start >= $6 then month_spent else 0 end
      else total_spent end as spent,
    case period when 'day' then case when day_start >= $4 then day_held else 0 end
      when 'week' then case when week_start >= $5 then week_held else 0 end
      when 'month' then case when month_start >= $6 then month_held else 0 end
      else total_held end as held,
    case when day >= $4 then used_micros else 0 end as used, cap_micros,
    case when $3 = 'llm' then (
      select coalesce(sum(amount_micros), 0)::bigint from holds
        where wallet_id = $1 and kind = 'llm' and holds.day >= $4
    ) end as llm_held
  from wallets left join budgets on budgets.id = $2
      or budgets.id = any(array(select unnest(ancestors) from budgets where id = $2))
    left join inference_days on inference_days.wallet_id = wallets.id
  where wallets.id = $1
  order by cardinality(ancestors) desc`

type Row = {
  readonly balance_micros: bigint
  readonly held_micros: bigint
  readonly mode: Mode
  readonly budget_id: Id | null
  readonly state: 'open' | 'paused' | 'closed' | null
  readonly is_expired: boolean | null
  readonly ceiling_micros: bigint | null
  readonly period: Period
  readonly spent: bigint
  readonly held: bigint
  readonly used: bigint
  readonly cap_micros: bigint | null
  readonly llm_held: bigint | null
}

/** Reads the limits of a call in one snapshot. */
export async function readLimits(
  database: Database,
  call: Charged,
  nowMs: number,
): Promise<Limits> {
  const { today, thisWeek, thisMonth } = windowStarts(nowMs)
  const { rows } = await database.query<Row>(
    READ_LIMITS,
    [call.walletId, call.budgetId, call.kind, today, thisWeek, thisMonth, nowMs],
    'read_limits',
  )
  const [row] = rows
  if (row === undefined) return { state: 'closed', budgetId: null, isAbove: false }
  const stopped = findStopped(rows, call)
  if (stopped !== undefined) return stopped
  const limits: Limit[] = rows.flatMap((budget) => budgetLimit(budget, call))
  if (call.kind === 'llm') {
    const held = row.llm_held ?? 0n
    const used = row.used ?? 0n
    limits.push({
      kind: 'day',
      scope: dayScope(call),
      ceiling: row.cap_micros ?? DEFAULT_DAILY_CAP,
      spent: used - held,
      held,
    })
  }
  limits.push({
    kind: 'wallet',
    scope: walletScope(call),
    mode: row.mode,
    ceiling: row.balance_micros,
    spent: 0n,
    held: row.held_micros,
  })
  return { state: 'open', limits }
}

function findStopped(rows: readonly Row[], call: Charged): Stopped | undefined {
  for (const [state, isStopped] of [
    ['closed', (row: Row) => row.state === 'closed'],
    ['expired', (row: Row) => row.is_expired === true],
    ['paused', (row: Row) => row.state === 'paused'],
  ] as const) {
    const row = rows.find(isStopped)
    if (row !== undefined)
      return { state, budgetId: row.budget_id, isAbove: row.budget_id !== call.budgetId }
  }
  return undefined
}

function budgetLimit({ budget_id: budgetId, ...row }: Row, call: Charged): readonly Limit[] {
  if (budgetId === null || row.ceiling_micros === null) return []
  return [
    {
      kind: 'budget',
      scope: budgetScope(budgetId),
      budgetId,
      isAbove: budgetId !== call.budgetId,
      period: row.period,
      ceiling: row.ceiling_micros,
      spent: row.spent,
      held: row.held,
    },
  ]
}

export type Judgement =
  | { readonly kind: 'fits' }
  /** The call fits once held money is released. */
  | { readonly kind: 'waits'; readonly limit: Limit }
  /** The limit does not allow the call, even without any hold. */
  | { readonly kind: 'final'; readonly limit: Limit }

/** Compares an amount with each limit. `reservedIn` is the amount of calls that waited longer for it. */
export function judge(
  limits: readonly Limit[],
  amount: Micros,
  reservedIn: (scope: Scope) => Micros = () => 0n,
): Judgement {
  const spentUp = limits.find(({ ceiling, spent }) => spent + amount > ceiling)
  if (spentUp !== undefined) return { kind: 'final', limit: spentUp }
  const short = limits.find(
    ({ scope, ceiling, spent, held }) => spent + held + reservedIn(scope) + amount > ceiling,
  )
  return short === undefined ? { kind: 'fits' } : { kind: 'waits', limit: short }
}
