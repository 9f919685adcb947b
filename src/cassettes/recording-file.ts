/** Recordings as the API and exported files show them. */
import { Type, type Static } from 'typebox'
import { AppError } from '../errors/app-error.ts'
import { errorCatalog } from '../errors/catalog.ts'
import { parseTime, toRfc3339 } from '../lib/clock.ts'
import { parseFields } from '../lib/json-fields.ts'
import type { Recording } from './cassette.ts'

/** More than the charge of any call. */
const MOST_CHARGED_MICROS = 1_000_000_000_000

export const RecordingBody = Type.Object(
  {
    route: Type.String({
      pattern: '^(run/[A-Za-z0-9_-]{1,64}/[A-Za-z0-9_.-]{1,64}|llm/[a-z/]{1,32})$',
      description: 'The action or API, such as "run/core/onescrape" or "llm/chat/completions".',
    }),
    input: Type.Record(Type.String(), Type.Unknown(), {
      description: 'The input without secrets and without what does not change the answer.',
    }),
    status: Type.Integer({ minimum: 200, maximum: 599, description: 'The HTTP status.' }),
    answer: Type.Optional(
      Type.Unknown({
        description: 'The JSON of the answer; of an error its code, message and fix.',
      }),
    ),
    events: Type.Optional(
      Type.Array(Type.String(), { description: 'The events of a stream, in order.' }),
    ),
    model: Type.Union([Type.String({ pattern: '^[\\x21-\\x7e]{1,200}$' }), Type.Null()], {
      description: 'The model of a completion.',
    }),
    charged_micros: Type.Integer({
      minimum: 0,
      maximum: MOST_CHARGED_MICROS,
      description: 'The charge of the recorded call. A replay is free.',
    }),
    live: Type.Boolean({
      description: 'Recorded by a live key. Otherwise the answer is simulated.',
    }),
    recorded_at: Type.String({ maxLength: 40, description: 'In RFC 3339.' }),
  },
  { additionalProperties: false },
)
export type RecordingFile = Static<typeof RecordingBody>

export const ImportBody = Type.Object(
  { recordings: Type.Array(RecordingBody, { minItems: 1, maxItems: 100 }) },
  { additionalProperties: false },
)

export function toFile(recording: Recording): RecordingFile {
  const { route, input, status, body, isEvents, model, charged, isLive, recordedMs } = recording
  return {
    route,
    input: input as RecordingFile['input'],
    status,
    ...(isEvents ? { events: splitEvents(body) } : { answer: JSON.parse(body) as unknown }),
    model,
    charged_micros: Number(charged),
    live: isLive,
    recorded_at: toRfc3339(recordedMs),
  }
}

/** Throws AppError invalid_params for a recording that no call could have made. */
export function fromFile(file: RecordingFile, place: number): Recording {
  const { route, input, status, answer, events, model, live } = file
  const recordedMs = parseTime(file.recorded_at)
  if (recordedMs === null) throw invalid(place, 'recorded_at', 'is no time in RFC 3339')
  if ((answer === undefined) === (events === undefined))
    throw invalid(place, 'answer', 'or "events" is required, and not both')
  const body = events === undefined ? JSON.stringify(answer) : events.join('')
  if (status >= 400 && !isError(body)) throw invalid(place, 'answer', 'is no error of the gateway')
  return {
    route,
    input,
    status,
    body,
    isEvents: events !== undefined,
    model,
    charged: BigInt(file.charged_micros),
    isLive: live,
    recordedMs,
  }
}

/** The text of each event with the empty line that ends it. */
export function splitEvents(body: string): string[] {
  return body.match(/[^]*?(?:\n\n|$)/g)?.filter((event) => event !== '') ?? []
}

function isError(body: string): boolean {
  const { code, message } = parseFields(body) ?? {}
  return (
    typeof code === 'string' && Object.hasOwn(errorCatalog, code) && typeof message === 'string'
  )
}

function invalid(place: number, field: string, problem: string): AppError {
  const param = `recordings[${place}].${field}`
  return new AppError('invalid_params', `"${param}" ${problem}.`, {
    param,
    fix: 'Import a file that ./tollgate cassette export or GET /api/v1/cassettes/{name}/recordings wrote.',
  })
}
