import type { Database } from '../../../src/db/database.ts'

export type TreeBooks = {
  readonly budgets: number
  /** Budgets at their limit, where the limit decided about calls. */
  readonly atLimit: number
  /** The most micro-dollars that any budget spent above its limit. */
  readonly overshoot: bigint
  /** Budgets whose spending is not the sum of their own calls and of their children, or that still hold. */
  readonly broken: readonly string[]
}

type Row = {
  readonly id: string
  readonly parent: string | null
  readonly ceiling: bigint | null
  readonly used: bigint
  readonly spent: bigint
  readonly held: bigint
  readonly own: bigint
}

const BUDGETS = `select id, parent_id as parent, ceiling_micros as ceiling, total_spent as spent, total_held as held,
  case period when 'day' then day_spent else total_spent end as used,
  (select coalesce(-sum(amount_micros), 0)::bigint from transactions where budget_id = budgets.id) as own from budgets`

/** Compares each budget with its limit, the calls of its key and the budgets below. Limits are per day or in total. */
export async function readTreeBooks(database: Database): Promise<TreeBooks> {
  const { rows } = await database.query<Row>(BUDGETS)
  const below = new Map<string | null, bigint>()
  for (const { parent, spent } of rows) below.set(parent, (below.get(parent) ?? 0n) + spent)
  const over = rows.map(({ ceiling, used }) => (ceiling === null ? null : used - ceiling))
  return {
    budgets: rows.length,
    atLimit: over.filter((micros) => micros !== null && micros >= 0n).length,
    overshoot: over.reduce<bigint>(
      (most, micros) => (micros !== null && micros > most ? micros : most),
      0n,
    ),
    broken: rows.flatMap(({ id, spent, held, own }) => {
      const children = below.get(id) ?? 0n
      return spent === own + children && held === 0n
        ? []
        : [`${id} spent ${spent}, itself ${own}, children ${children}, held ${held}`]
    }),
  }
}
