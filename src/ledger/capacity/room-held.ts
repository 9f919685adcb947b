import type { Database } from '../../db/database.ts'
import { AppError } from '../../errors/app-error.ts'
import { toRfc3339 } from '../../lib/clock.ts'
import { formatDollars, type Micros } from '../../lib/money.ts'
import type { HoldRequest } from '../hold.ts'
import { boundBy, describeBudget } from './bound-by.ts'
import type { Limit } from './limits.ts'

/** The open holds that a call waits for. */
export type Holders = {
  readonly calls: number
  /** Unix milliseconds: enough of them have ended by then. Null if too few are open. */
  readonly untilMs: number | null
  /** Whether the call fits once calls have ended. Jobs and sessions hold money for minutes. */
  readonly endSoon: boolean
}

const RETRY_AFTER_SECONDS = 1

/** Reads the holds that keep `amount` from fitting into the limit. */
export async function readHolders(
  database: Database,
  { walletId, amount }: Pick<HoldRequest, 'walletId' | 'amount'>,
  limit: Limit,
): Promise<Holders> {
  const { kind, ceiling, spent, held } = limit
  const budgetId = limit.kind === 'budget' ? limit.budgetId : null
  const { rows } = await database.query<{
    calls: bigint
    until_ms: bigint | null
    ends_soon: boolean | null
  }>(
    `select count(*) as calls, min(deadline_ms) filter (where freed >= $3) as until_ms,
       coalesce(sum(amount_micros) filter (where kind not in ('call', 'llm')), 0) <= $5 as ends_soon
     from (
       select kind, deadline_ms, amount_micros, sum(amount_micros) over (order by deadline_ms, holds.id) as freed
       from holds left join budgets on budgets.id = budget_id
       where wallet_id = $1 and ($4 <> 'budget' or budget_id = $2 or $2 = any(ancestors)) and ($4 <> 'day' or kind = 'llm')
     ) as open`,
    [walletId, budgetId, spent + held + amount - ceiling, kind, ceiling - spent - amount],
  )
  const [row] = rows
  return {
    calls: Number(row?.calls ?? 0),
    untilMs: row === undefined || row.until_ms === null ? null : Number(row.until_ms),
    endSoon: row?.ends_soon === true,
  }
}

/** The error for a call that fits once held money is released. */
export function roomHeld(limit: Limit, amount: Micros, { calls, untilMs }: Holders): AppError {
  const { ceiling, spent, held } = limit
  return new AppError(
    'room_held',
    `This call may cost ${formatDollars(amount)}; ${describeUse(limit)}, and ${formatDollars(held)} is held by ${calls} ${calls === 1 ? 'call' : 'calls'} in progress.`,
    {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
      details: {
        required_micros: Number(amount),
        spent_micros: Number(spent),
        held_micros: Number(held),
        available_micros: Number(ceiling - spent - held),
        limit_micros: Number(ceiling),
        limit: LIMIT_NAMES[limit.kind],
        ...boundBy(limit),
        short_by: 'held',
        until: untilMs === null ? null : toRfc3339(untilMs),
      },
    },
  )
}

const LIMIT_NAMES: Readonly<Record<Limit['kind'], string>> = {
  wallet: 'balance',
  budget: 'key',
  day: 'daily_llm',
}

function describeUse(limit: Limit): string {
  const { kind, ceiling, spent } = limit
  const all = formatDollars(ceiling)
  if (kind === 'wallet') return `the balance is ${all}`
  const whole =
    limit.kind === 'budget'
      ? `${describeBudget(limit)} ${all}`
      : `the account's daily ${all} for language models`
  return `${formatDollars(spent)} of ${whole} is spent`
}
