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
    throw new UsageError(`--${flag} is one of ${choices.join(', ')}, not "${text}".`)
  return choice
}

export function readWholeNumber(flag: string, text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw new UsageError(`--${flag} is a whole number, not "${text}".`)
}

/** Cents with up to four decimals. */
export function readCents(flag: string, text: string): Micros {
  try {
    return cents(text)
  } catch {
    throw new UsageError(`--${flag} is an amount in cents such as 500 or 0.1, not "${text}".`)
  }
}

/** One line for people; undefined when the flag was left out. */
export function readText(
  flag: string,
  text: string | undefined,
  maxLength: number,
): string | undefined {
  if (text !== undefined && (text.length > maxLength || /\p{Cc}/u.test(text)))
    throw new UsageError(`--${flag} is one line of at most ${maxLength} characters.`)
  return text
}

/** "90d" from now, a date (its midnight, UTC) or an RFC 3339 time. */
export function readMoment(flag: string, text: string, nowMs: number): Date {
  const days = /^(\d{1,5})d$/.exec(text)?.[1]
  const ms = days === undefined ? parseTime(text) : nowMs + Number(days) * DAY_MS
  if (ms === null)
    throw new UsageError(
      `--${flag} is a time such as 90d, 2027-12-31 or 2027-12-31T12:00:00Z, not "${text}".`,
    )
  return new Date(ms)
}

/** Throws UsageError for a stretch of time that holds no moment. */
export function requireStretch({
  fromMs,
  untilMs,
}: {
  readonly fromMs: number
  readonly untilMs: number
}): void {
  if (fromMs >= untilMs)
    throw new UsageError('--until must be a time after --from: nothing lies between them.')
}
