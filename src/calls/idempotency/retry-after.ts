import { BEAT_MS, ENDED_WITHIN_MS } from '../../leases/lease.ts'

/** A call without an answer: its age, and the time since its process last renewed its lease; null for an unknown lease. */
export type Running = { readonly ageMs: number; readonly silentMs: number | null }

const LONGEST_SECONDS = 10
// A call that has run for long usually runs for as long again, so four checks in that time find its end early enough.
const CHECKS_PER_AGE = 4

/** The seconds after which a retry is useful. A process counts as stopped after it misses two beats; its key is free soon after. */
export function retryAfterRunning({ ageMs, silentMs }: Running): {
  readonly isSilent: boolean
  readonly seconds: number
} {
  const isSilent = silentMs !== null && silentMs > 2 * BEAT_MS
  const waitMs = isSilent ? ENDED_WITHIN_MS - silentMs : ageMs / CHECKS_PER_AGE
  return { isSilent, seconds: Math.min(LONGEST_SECONDS, Math.max(1, Math.ceil(waitMs / 1000))) }
}
