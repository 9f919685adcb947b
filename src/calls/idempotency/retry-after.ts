import { BEAT_MS, ENDED_WITHIN_MS } from '../../leases/lease.ts'

/** A call that has not answered yet: how long ago it began, and how long its process has been silent; null where its lease is unknown. */
export type Running = { readonly ageMs: number; readonly silentMs: number | null }

const LONGEST_SECONDS = 10
// A call that has run for long mostly runs on for as long again, so four looks find its end soon enough.
const LOOKS_PER_AGE = 4

/** When a repeat is worth sending. A silent process counts as stopped after it missed a second beat; its key is free soon after. */
export function retryAfterRunning({ ageMs, silentMs }: Running): {
  readonly isSilent: boolean
  readonly seconds: number
} {
  const isSilent = silentMs !== null && silentMs > 2 * BEAT_MS
  const waitMs = isSilent ? ENDED_WITHIN_MS - silentMs : ageMs / LOOKS_PER_AGE
  return { isSilent, seconds: Math.min(LONGEST_SECONDS, Math.max(1, Math.ceil(waitMs / 1000))) }
}
