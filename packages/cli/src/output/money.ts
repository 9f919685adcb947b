import { formatDollars } from '../../../../src/lib/money.ts'

/** Micro-dollars as dollars, such as "$0.02". */
export function dollars(micros: number): string {
  return formatDollars(BigInt(micros))
}
