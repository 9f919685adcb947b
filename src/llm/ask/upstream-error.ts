import { isFields, listedFields, type Fields } from '../../lib/json-fields.ts'

export type UpstreamError = { readonly message: string; readonly code: string | number | null }

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
      ? { message: 'The upstream ended early.', code: null }
      : null
  const { message, code } = isFields(found) ? found : { message: found, code: null }
  return {
    message: typeof message === 'string' && message !== '' ? message : 'The upstream ended early.',
    code: typeof code === 'string' || typeof code === 'number' ? code : null,
  }
}
