/** The published shape of an answer. */
import { canBeJob, type Action, type Service } from '../vocabulary/define.ts'
import type { JsonSchema } from './json-schema.ts'

/** `data` of a call that started a job. */
const STARTED_JOB: JsonSchema = {
  type: 'object',
  required: ['job_id', 'status', 'async'],
  properties: {
    job_id: { type: 'string', description: 'The id of the job, for core/result and core/cancel.' },
    status: { const: 'queued', description: 'The job waits for a worker.' },
    async: { const: true, description: 'The result follows later.' },
  },
  additionalProperties: true,
}

/**
 * The schema of the result of an action, or of one of its endpoints: `data` of the answer, or
 * `result` of core/result for a job. Undefined if the record names none. Answers contain further
 * fields.
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

/** The schema of `data` in the response to a call: of the result, or of the job that it starts. */
export function responseSchema(service: Service, name: string, action: Action) {
  const result = answerSchema(service, name)
  if (!canBeJob(action)) return result
  const isAlwaysJob = action.kind === 'local' || !isDirect(action)
  if (isAlwaysJob) return STARTED_JOB
  return result === undefined ? undefined : { anyOf: [result, STARTED_JOB] }
}

function isDirect(action: Action): boolean {
  return action.kind === 'job' && action.directly !== undefined
}
