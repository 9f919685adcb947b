import { DAY_MS, parseTime } from '../../lib/clock.ts'
import { cents, type Micros } from '../../lib/money.ts'
import { UsageError } from './command.ts'

export function readChoice<Choice extends string>(
  flag: string,
  text: string | undefined,
  choices: readonly Choice[],
  fallback: Choice,
): Choice {
  if (text === undefined) return fallback
  const choice = choices.find((candidate) => candidate === text)
  if (choice === undefined)
    throw new UsageError(`--${flag} must be one of ${choices.join(', ')}, not "${text}".`)
  return choice
}

export function readWholeNumber(flag: string, text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw new UsageError(`--${flag} must be a whole number, not "${text}".`)
}

/** Reads cents with up to four decimals. Throws UsageError. */
export function readCents(flag: string, text: string): Micros {
  try {
    return cents(text)
  } catch {
    throw new UsageError(`--${flag} must be an amount in cents such as 500 or 0.1, not "${text}".`)
  }
}

/** Reads one line of text; undefined without the flag. Throws UsageError. */
export function readText(
  flag: string,
  text: string | undefined,
  maxLength: number,
): string | undefined {
  if (text !== undefined && (text.length > maxLength || /\p{Cc}/u.test(text)))
    throw new UsageError(`--${flag} must be one line of at most ${maxLength} characters.`)
  return text
}

/** Reads "90d" (from now), a date (midnight UTC) or an RFC 3339 time. Throws UsageError. */
export function readMoment(flag: string, text: string, nowMs: number): Date {
  const days = /^(\d{1,5})d$/.exec(text)?.[1]
  const ms = days === undefined ? parseTime(text) : nowMs + Number(days) * DAY_MS
  if (ms === null)
    throw new UsageError(
      `--${flag} must be a time such as 90d, 2027-12-31 or 2027-12-31T12:00:00Z, not "${text}".`,
    )
  return new Date(ms)
}

/** Throws UsageError for an empty period. */
export function requirePeriod({
  fromMs,
  untilMs,
}: {
  readonly fromMs: number
  readonly untilMs: number
}): void {
  if (fromMs >= untilMs) throw new UsageError('--until must be later than --from.')
}
