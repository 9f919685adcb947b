/** Cassettes in the OpenAPI document. */
import { answers, schemaRef } from '../../../catalog/published/openapi-parts.ts'
import { MOST_CASSETTES } from '../../../cassettes/cassette.ts'
import type { CassetteRecord } from '../../../cassettes/list-cassettes.ts'
import { ImportBody, type RecordingFile } from '../../../cassettes/recording-file.ts'
import { RecordingsQuery } from '../routes/cassettes/cassette-routes.ts'
import { jsonBody, queryParameters } from './from-schema.ts'
import { KEYED, READ, requestId, security, WRITE } from './path-parts.ts'
import { amount, record, text, textOrNull, time, type FieldsOf } from './schema-parts.ts'

const cassetteFields: FieldsOf<CassetteRecord> = {
  id: { type: 'string', pattern: '^cas_' },
  name: text,
  key_id: {
    ...textOrNull,
    description: 'The key of scope "own" that owns it. Null: it belongs to the account.',
  },
  recordings: { ...amount, description: 'The number of recordings.' },
  bytes: { ...amount, description: 'The size of the recordings.' },
  created_at: time,
  recorded_at: time,
  expires_at: { ...time, description: '90 days after the last recording.' },
}

const recordingFields: FieldsOf<Omit<RecordingFile, 'answer' | 'events'>> = {
  route: { ...text, description: 'For example "run/core/onescrape" or "llm/chat/completions".' },
  input: { type: 'object', additionalProperties: true },
  status: amount,
  model: { ...textOrNull, description: 'The model of a completion.' },
  charged_micros: { ...amount, description: 'The charge of the recorded call.' },
  live: { type: 'boolean', description: 'Recorded by a live key; otherwise simulated.' },
  recorded_at: time,
}

export const cassetteSchemas = {
  Cassette: record(cassetteFields),
  Recording: {
    ...record(recordingFields),
    properties: {
      ...recordingFields,
      answer: { description: 'The JSON of the answer; of an error its code, message and fix.' },
      events: { type: 'array', items: text, description: 'The events of a stream, in order.' },
    },
  },
}

const data = (schema: object, further: Readonly<Record<string, object>> = {}) => ({
  type: 'object',
  required: ['ok', 'data', ...Object.keys(further)],
  properties: { ok: { const: true }, data: schema, ...further },
})
const list = (name: keyof typeof cassetteSchemas) => ({ type: 'array', items: schemaRef(name) })
const cassette = data(schemaRef('Cassette'))

const nameParameter = {
  name: 'name',
  in: 'path',
  required: true,
  schema: text,
  description: 'The name, or the id (cas_…) of a cassette of another key.',
}

function operation(
  operationId: string,
  summary: string,
  { schema, statuses, status = 200, ...more }: OperationParts,
) {
  const answer = { status, description: 'The result.', schema, headers: requestId }
  const responses = answers(answer, statuses)
  return { operationId, tags: ['cassettes'], security, summary, ...more, responses }
}

type OperationParts = Readonly<Record<string, unknown>> & {
  readonly schema: object
  readonly statuses: readonly number[]
  readonly status?: number
}

export const cassettePaths = {
  '/api/v1/cassettes': {
    get: operation(
      'list_cassettes',
      `List cassettes, at most ${MOST_CASSETTES}. A key of scope "own" sees its own.`,
      { schema: data(list('Cassette')), statuses: KEYED },
    ),
  },
  '/api/v1/cassettes/{name}': {
    parameters: [nameParameter],
    get: operation('read_cassette', 'Read a cassette.', {
      schema: cassette,
      statuses: [...KEYED, 404],
    }),
    delete: operation('delete_cassette', 'Delete a cassette and its recordings.', {
      schema: cassette,
      statuses: [...WRITE, 404],
    }),
  },
  '/api/v1/cassettes/{name}/recordings': {
    parameters: [nameParameter],
    get: operation('list_recordings', 'Export the recordings of a cassette, oldest first.', {
      schema: data(list('Recording'), { next_cursor: textOrNull }),
      statuses: [...READ, 404],
      parameters: queryParameters(RecordingsQuery),
    }),
    post: operation(
      'import_recordings',
      'Import recordings, all or none. Each replaces the recording of the same call.',
      {
        schema: cassette,
        statuses: WRITE,
        status: 201,
        requestBody: jsonBody(ImportBody, {
          recordings: [
            {
              route: 'run/core/discover',
              input: { query: 'read a page' },
              status: 200,
              answer: { ok: true, data: {} },
              model: null,
              charged_micros: 0,
              live: true,
              recorded_at: '2027-01-31T00:00:00Z',
            },
          ],
        }),
      },
    ),
  },
}
