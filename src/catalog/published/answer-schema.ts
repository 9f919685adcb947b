/** The published shape of an answer. */
import { canBeJob, type Action, type Service } from '../vocabulary/define.ts'
import { count, maybe, orNull, record, records, text, time } from '../vocabulary/returns.ts'
import { keptFields } from '../vocabulary/text-rest.ts'
import type { JsonSchema } from './json-schema.ts'

/** The gateway adds `kept_files` to an answer with files. */
const keptFiles = maybe(
  records('The files of the answer that the gateway stored among your files.', {
    field: text('The place of the link in the answer, such as "data.screenshot".'),
    file_id: orNull(text('The id for files/get. null if the file could not be stored.')),
    filename: maybe(text('The name.')),
    mime: maybe(text('The media type, such as "image/png".')),
    size: maybe(count('The size.', 'bytes')),
    sha256: maybe(text('The SHA-256 of the bytes in hexadecimal.')),
    expires_at: maybe(time('When the link stops working. The file stays until you delete it.')),
    error: maybe(
      record("Why the file could not be stored. The field then has the vendor's content.", {
        code: text('The error code.'),
        message: text('What happened.'),
      }),
    ),
  }),
)

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
  const schema: JsonSchema | undefined = own ?? returns[action]
  const hasFiles = keptFields(service.actions[action]?.fileFields ?? []).length > 0
  return schema === undefined || !hasFiles
    ? schema
    : { ...schema, properties: { ...schema.properties, kept_files: keptFiles } }
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
