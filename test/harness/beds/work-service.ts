/** A service of jobs for tests. `budgetCents` limits the spending of a job; `seed` distinguishes jobs. */
import type { Static } from '../../../src/lib/schema.ts'
import {
  defineService,
  localJob,
  params,
  type LocalAction,
} from '../../../src/catalog/vocabulary/define.ts'
import { whole } from '../../../src/catalog/vocabulary/fields.ts'
import { budgeted } from '../../../src/catalog/vocabulary/tariff.ts'
import { wholeCents } from '../../../src/lib/money.ts'

export const JOB_MS = 120_000
const LONG_JOB_MS = 3_600_000
const LEAST_BUDGET_CENTS = 2

const input = params({
  budgetCents: whole('Budget.', LEAST_BUDGET_CENTS, 500, { default: 10 }),
  seed: whole('Anything.', 0, 1e9, { default: 0 }),
})

export const work = defineService({
  id: 'work',
  title: 'Work',
  category: 'test',
  actions: { deep: workAction('deep', JOB_MS), wide: workAction('unlimited', LONG_JOB_MS) },
})

function workAction(running: 'deep' | 'unlimited', timeoutMs: number): LocalAction {
  return localJob({
    summary: 'A job.',
    input,
    example: { budgetCents: 10 },
    price: budgeted(
      ({ budgetCents }: Static<typeof input>) => wholeCents(budgetCents),
      wholeCents(LEAST_BUDGET_CENTS),
      wholeCents(500),
    ),
    timeoutMs,
    handler: 'work.deep',
    uses: ['semantic/search'],
    running,
  })
}
