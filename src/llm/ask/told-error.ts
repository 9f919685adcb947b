import { isFields, listedFields, type Fields } from '../../lib/json-fields.ts'

export type ToldError = { readonly message: string; readonly code: string | number | null }

/** The error that an answer carries in place of a status: at its top, in a choice, or as all that it is. */
export function errorOf(json: Fields): ToldError | null {
  const choices = listedFields(json['choices'])
  const told = [
    json['object'] === 'error' ? json : undefined,
    json['error'],
    ...choices.map((choice) => choice['error']),
  ].find((one) => one !== undefined && one !== null && one !== false && one !== '')
  if (told === undefined)
    return choices.some((choice) => choice['finish_reason'] === 'error')
      ? { message: 'The upstream broke off.', code: null }
      : null
  const { message, code } = isFields(told) ? told : { message: told, code: null }
  return {
    message: typeof message === 'string' && message !== '' ? message : 'The upstream broke off.',
    code: typeof code === 'string' || typeof code === 'number' ? code : null,
  }
}
