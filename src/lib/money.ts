/**
 * Money is an integer count of micro-dollars (1¢ = 10 000 µ$, $1 = 1 000 000 µ$) in a bigint.
 * Amounts are never floats: `cents` and `dollars` parse text and reject excess digits.
 */
export type Micros = bigint

const MICROS_PER_CENT = 10_000n
export const MICROS_PER_DOLLAR = 1_000_000n
/** The largest amount that a database column can store. */
export const MOST_MICROS: Micros = 2n ** 63n - 1n

/** `cents('0.1')` is 1 000 µ$. Accepts at most four decimals, the precision of a micro-dollar. */
export function cents(text: string): Micros {
  return parseScaled(text, 4)
}

/** `dollars('1.19')` is 1 190 000 µ$. Accepts at most six decimals. */
export function dollars(text: string): Micros {
  return parseScaled(text, 6)
}

/** Whole cents from a request, such as `max_cost_cents`. */
export function wholeCents(count: number): Micros {
  if (!Number.isSafeInteger(count)) throw new RangeError(`${count} is not a whole number of cents`)
  return BigInt(count) * MICROS_PER_CENT
}

/** Whole cents for display, rounded up, so that only an uncharged call shows 0. */
export function toCentsRoundedUp(amount: Micros): number {
  return Number(ceilDivide(amount, MICROS_PER_CENT))
}

/** Whole cents of a remaining amount for display, rounded down, so that it never shows more than there is. */
export function toCentsRoundedDown(amount: Micros): number {
  return Number(floorDivide(amount, MICROS_PER_CENT))
}

/** The smallest whole-cent amount of at least `amount`, for prices that the specification rounds. */
export function roundUpToCent(amount: Micros): Micros {
  return ceilDivide(amount, MICROS_PER_CENT) * MICROS_PER_CENT
}

/** µ$ as text in dollars: "$1.25", "$0.0004". Trailing zeros beyond the cents are dropped. */
export function formatDollars(amount: Micros): string {
  const sign = amount < 0n ? '-' : ''
  const absolute = amount < 0n ? -amount : amount
  const fraction = (absolute % MICROS_PER_DOLLAR)
    .toString()
    .padStart(6, '0')
    .replace(/0{1,4}$/, '')
  return `${sign}$${(absolute / MICROS_PER_DOLLAR).toString()}.${fraction}`
}

/** µ$ as text in cents without trailing zeros: "2", "0.1". */
export function formatCents(amount: Micros): string {
  const fraction = (amount % MICROS_PER_CENT).toString().padStart(4, '0').replace(/0+$/, '')
  return `${(amount / MICROS_PER_CENT).toString()}${fraction === '' ? '' : `.${fraction}`}`
}

export function minMicros(first: Micros, ...rest: Micros[]): Micros {
  return rest.reduce((least, amount) => (amount < least ? amount : least), first)
}

export function maxMicros(first: Micros, ...rest: Micros[]): Micros {
  return rest.reduce((most, amount) => (amount > most ? amount : most), first)
}

function parseScaled(text: string, decimals: number): Micros {
  const match = /^(\d{1,12})(?:\.(\d+))?$/.exec(text)
  if (match === null) throw new RangeError(`"${text}" is not a valid amount`)
  const fraction = match[2] ?? ''
  if (fraction.length > decimals) throw new RangeError(`"${text}" has too many decimals`)
  return BigInt(`${match[1]}${fraction.padEnd(decimals, '0')}`)
}

function ceilDivide(amount: bigint, by: bigint): bigint {
  const quotient = amount / by
  return amount % by > 0n ? quotient + 1n : quotient
}

function floorDivide(amount: bigint, by: bigint): bigint {
  const quotient = amount / by
  return amount % by < 0n ? quotient - 1n : quotient
}
