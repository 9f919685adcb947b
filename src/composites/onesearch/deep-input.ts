/** The input of `core/onesearch-deep`. */
import { Type, type Static } from '../../lib/schema.ts'
import { params } from '../../catalog/vocabulary/define.ts'
import { list, NOT_BLANK, optional, whole } from '../../catalog/vocabulary/fields.ts'
import { wholeCents, type Micros } from '../../lib/money.ts'
import { deepBudgetField } from '../shared/deep-budget.ts'
import { searchFields } from './search-input.ts'

export const onesearchDeepInput = params({
  ...searchFields,
  questions: optional(
    list(
      'Up to five questions that the pages should answer. Each one is a further search.',
      Type.String({ minLength: 1, maxLength: 400, ...NOT_BLANK }),
      5,
    ),
  ),
  read_pages: whole('Maximum number of found pages to read, 0 to 20.', 0, 20, {
    default: 5,
  }),
  budgetCents: deepBudgetField(50),
})
export type OnesearchDeepInput = Static<typeof onesearchDeepInput>

export function onesearchBudget({ budgetCents }: OnesearchDeepInput): Micros {
  return wholeCents(budgetCents)
}
