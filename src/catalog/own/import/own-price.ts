import { fieldsOf, isFields, type Fields } from '../../../lib/json-fields.ts'
import { AMOUNT, type OwnPrice } from '../own-file.ts'
import { Refusal } from './refusal.ts'

const DECIMAL = /^\d{1,7}(\.\d{1,6})?$/
/** Decimals of a dollar that a cent has. */
const SHIFT = 2

/**
 * The price of an operation: `x-tollgate-price` (as in a file, or cents), `x-payment-info` with a fixed
 * price in dollars, or `cents` of the command line. Throws Refusal without any.
 */
export function readOwnPrice(fields: Fields, cents: string | undefined): OwnPrice {
  const own = fields['x-tollgate-price']
  // The checks of the file read the rest.
  if (isFields(own)) return own as unknown as OwnPrice
  const given =
    own === undefined
      ? (publishedCents(fields['x-payment-info']) ?? cents)
      : JSON.stringify(own).replaceAll('"', '')
  if (given === undefined)
    throw new Refusal('has no price: add --price-cents, or "x-tollgate-price" with an overlay')
  if (!new RegExp(AMOUNT).test(given))
    throw new Refusal(`has a price that is no amount in cents: ${given.slice(0, 40)}`)
  return { kind: 'flat', cents: given }
}

function publishedCents(info: unknown): string | undefined {
  const { price, pricingMode, currency: outer } = fieldsOf(info)
  const {
    mode,
    amount,
    currency = outer,
  } = isFields(price) ? price : { mode: pricingMode, amount: price }
  if (mode !== 'fixed' || (currency !== undefined && currency !== 'USD')) return undefined
  if (typeof amount !== 'string' || !DECIMAL.test(amount)) return undefined
  const [whole = '0', decimals = ''] = amount.split('.')
  const padded = decimals.padEnd(SHIFT, '0')
  const rest = padded.slice(SHIFT).replace(/0+$/, '')
  const units = `${whole}${padded.slice(0, SHIFT)}`.replace(/^0+(?=\d)/, '')
  return rest === '' ? units : `${units}.${rest}`
}
