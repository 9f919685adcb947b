/** The price of processor time on this machine. Failed work pays it, if the caller's input was the reason. */
import { AppError } from '../../errors/app-error.ts'
import { HOUR_MS } from '../../lib/clock.ts'
import { cents, type Micros } from '../../lib/money.ts'

/** Of one processor, as compute sessions pay it. */
export const CPU_HOUR: Micros = cents('5')
/** Input that is found to be wrong within this time costs nothing. */
const FREE_MS = 5_000

function owedFor(cpuMs: number): Micros {
  const whole = Math.floor(cpuMs)
  return whole <= FREE_MS ? 0n : (CPU_HOUR * BigInt(whole)) / BigInt(HOUR_MS)
}

/** The same error with the price of `cpuMs`. The place that charges it adds the costs to the message. */
export function owing(error: AppError, cpuMs: number): AppError {
  const { code, message, param, fix, details, cause } = error
  const owed = owedFor(cpuMs)
  const fullMessage = owed === 0n ? withCosts(message, 0n) : message
  return new AppError(code, fullMessage, { param, fix, details, owed, cause })
}

/** The message of failed work with what it was charged for its processor time. */
export function withCosts(message: string, charged: Micros): string {
  const costs =
    charged === 0n
      ? 'Nothing was charged.'
      : 'The processor time that it used was charged, because the input was the reason.'
  return `${message} ${costs}`
}
