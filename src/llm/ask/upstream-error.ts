import { joinProblems } from '../../catalog/answers/vendor-failure.ts'
import {
  fieldsOf,
  isFields,
  listedFields,
  parseFields,
  type Fields,
} from '../../lib/json-fields.ts'

export type UpstreamError = {
  readonly message: string
  readonly code: string | number | null
  readonly type?: string | undefined
  readonly param?: string | undefined
  readonly metadata?: unknown
}

const EARLY_END = 'The upstream ended early.'
const DEEPEST_WORDS = 5

/**
 * The error inside a response with a success status: at its top level, in a choice, or as the whole
 * response.
 */
export function errorOf(json: Fields): UpstreamError | null {
  const choices = listedFields(json['choices'])
  const found = [
    json['object'] === 'error' ? json : undefined,
    json['error'],
    ...choices.map((choice) => choice['error']),
  ].find((one) => one !== undefined && one !== null && one !== false && one !== '')
  if (found === undefined)
    return choices.some((choice) => choice['finish_reason'] === 'error')
      ? { message: EARLY_END, code: null }
      : null
  return readInBandError(found)
}

/** The error that an event or a response with a success status reports. */
export function readInBandError(found: unknown): UpstreamError {
  const error = readError(found)
  return error.message === '' ? { ...error, message: EARLY_END } : error
}

/** The error in the body of a response with an error status. `message` is empty without words. */
export function readErrorBody(text: string): UpstreamError {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    return { message: '', code: null }
  }
  // Google's API returns a list.
  const fields = fieldsOf(Array.isArray(body) ? body[0] : body)
  const inner = [fields['error'], fields['detail']].find(isFields) ?? {}
  return readError({ ...fields, ...inner, message: wordsIn(fields) })
}

function readError(found: unknown): UpstreamError {
  const { code, type, param, metadata } = fieldsOf(found)
  // OpenRouter's own message is "Provider returned error"; this is the provider's.
  const { raw } = fieldsOf(metadata)
  const provider = typeof raw === 'string' && parseFields(raw) !== null ? readErrorBody(raw) : null
  if (provider !== null && provider.message !== '')
    return { ...provider, code: provider.code ?? codeFrom(code) }
  return {
    message: wordsIn(found),
    code: codeFrom(code),
    ...(typeof type === 'string' ? { type } : {}),
    ...(typeof param === 'string' ? { param } : {}),
    ...(metadata === undefined ? {} : { metadata }),
  }
}

function codeFrom(code: unknown): string | number | null {
  return typeof code === 'string' || typeof code === 'number' ? code : null
}

/** The words of an error in the forms of all upstreams: a text, a field, or a list of problems. */
function wordsIn(value: unknown, depth = 0): string {
  if (typeof value === 'string') return value
  if (depth > DEEPEST_WORDS) return ''
  if (Array.isArray(value)) return joinProblems(value) || wordsIn(value[0], depth + 1)
  const { error, message, detail, errors, msg } = fieldsOf(value)
  for (const one of [error, message, detail, errors, msg]) {
    const words = wordsIn(one, depth + 1)
    if (words !== '') return words
  }
  return ''
}
