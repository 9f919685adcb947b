/** The format of an answer, and the effort of thinking, as chat completions name them. */
import { fieldsOf, type Fields } from '../../../lib/json-fields.ts'

const EFFORTS: Readonly<Record<string, string>> = {
  low: 'low',
  medium: 'medium',
  high: 'high',
  xhigh: 'high',
  max: 'high',
}
/** The budgets of thinking tokens below which an effort is enough. */
const LOW_BUDGET = 4_096
const MEDIUM_BUDGET = 16_384

export function convertOutput(body: Fields): Fields {
  const { output_config: config, output_format: older } = body
  const { effort, format = older } = fieldsOf(config)
  const { type, schema } = fieldsOf(format)
  const known = effortOf(fieldsOf(body['thinking']), effort)
  return {
    ...(type === 'json_schema'
      ? { response_format: { type, json_schema: { name: 'response', strict: true, schema } } }
      : {}),
    ...(known === undefined ? {} : { reasoning_effort: known }),
  }
}

function effortOf({ type, budget_tokens: budget }: Fields, effort: unknown): string | undefined {
  if (type === 'disabled') return 'off'
  const named = EFFORTS[String(effort)]
  if (named !== undefined || type !== 'enabled') return named
  if (typeof budget !== 'number' || budget > MEDIUM_BUDGET) return 'high'
  return budget > LOW_BUDGET ? 'medium' : 'low'
}
