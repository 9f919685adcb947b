import { UsageError } from '../usage-error.ts'

/** Throws UsageError. */
export function readWhole(flag: string, text: string | undefined, usual: number): number {
  if (text === undefined) return usual
  if (/^\d{1,9}$/.test(text) && Number(text) > 0) return Number(text)
  throw new UsageError(`--${flag} must be a whole number above 0, not "${text}".`)
}
