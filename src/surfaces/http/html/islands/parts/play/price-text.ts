const MICROS_PER_CENT = 10_000
const CENTS_PER_DOLLAR = 100

/** Micro-dollars as pages write prices: 2¢, 0.15¢, $1.00, free. */
export function priceText(micros: number): string {
  if (micros === 0) return 'free'
  const cents = micros / MICROS_PER_CENT
  if (cents < CENTS_PER_DOLLAR) return `${Number(cents.toFixed(4))}¢`
  const dollars = cents / CENTS_PER_DOLLAR
  return `$${Number.isInteger(cents) ? dollars.toFixed(2) : Number(dollars.toFixed(6))}`
}
