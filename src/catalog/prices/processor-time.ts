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

/** The same error with the price of `cpuMs`, in `owed` and in words. The message must not mention costs before. */
export function owing(error: AppError, cpuMs: number): AppError {
  const { code, message, param, fix, details } = error
  const owed = owedFor(cpuMs)
  const costs =
    owed === 0n
      ? 'Nothing was charged.'
      : `${Math.round(cpuMs / 1000)} seconds of processor time are charged, because the input was the reason.`
  return new AppError(code, `${message} ${costs}`, {
    param,
    fix,
    details,
    owed,
    cause: error.cause,
  })
}
