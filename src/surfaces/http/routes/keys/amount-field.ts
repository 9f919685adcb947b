import { AppError } from '../../../../errors/app-error.ts'
import { dollars as microsOf, toCentsRoundedDown } from '../../../../lib/money.ts'

// Thousands separators are optional, as on the pages.
const AMOUNT = /^\$? ?((?:\d{1,9}|\d{1,3}(?:,\d{3}){1,2})(?:\.\d{1,2})?)$/

/** The cents of an amount in dollars; null for an empty field. Throws AppError invalid_params. */
export function limitCents(text: string, param: string, name: string): number | null {
  if (text === '') return null
  const amount = AMOUNT.exec(text)?.[1]
  if (amount === undefined)
    throw new AppError('invalid_params', `${name} is not an amount in dollars.`, {
      param,
      fix: 'Enter it as 5 or 5.00, or leave it empty for no limit.',
    })
  return toCentsRoundedDown(microsOf(amount.replaceAll(',', '')))
}
