/** The published shape of an answer. */
import type { Service } from '../vocabulary/define.ts'
import type { JsonSchema } from './json-schema.ts'

/**
 * The schema of `data` for an action, or for one of its endpoints. Undefined if the record names
 * none. Answers contain further fields.
 */
export function answerSchema(
  service: Service,
  action: string,
  endpoint?: string,
): JsonSchema | undefined {
  const { returns = {} } = service
  const own = endpoint === undefined ? undefined : returns[`${action} ${endpoint}`]
  return own ?? returns[action]
}
