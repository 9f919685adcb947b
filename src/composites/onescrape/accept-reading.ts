import type { CallTools } from '../../catalog/vocabulary/handlers.ts'
import { unpaid } from '../../catalog/prices/hop.ts'
import type { DomainMemory } from './domain-memory.ts'
import type { Climb, Judgement, ReadPage } from './page-row.ts'
import type { ExtractPage, PageReading } from './readers.ts'

export type LadderParts = {
  readonly judge: (page: ReadPage, url: string) => Judgement
  readonly extract: ExtractPage
  readonly memory: DomainMemory
}

/** Judges what a rung brought; a rung that met a wall or a shell is free. Returns whether the page is read. */
export function accept(
  { judge }: Pick<LadderParts, 'judge'>,
  climb: Climb,
  { hop, page, flags, reason, refusal, isUnreachable, isReasonOfReader }: PageReading,
): boolean {
  if (isUnreachable === true) climb.isUnreachable = true
  if (refusal !== null) climb.refusal = refusal
  if (page === null) {
    if (reason !== null && (isReasonOfReader !== true || !climb.isReasonOfPage)) {
      climb.lastReason = reason
      climb.isReasonOfPage = isReasonOfReader !== true
    }
    if (flags.length > 0) climb.lastFlags = flags
    climb.hops.push(unpaid({ ...hop, ok: false }))
    return false
  }
  const judgement = page.judgement ?? judge(page, climb.address)
  const isGood = judgement.flags.length === 0
  climb.hops.push(isGood ? hop : unpaid({ ...hop, ok: false }))
  climb.lastFlags = judgement.flags
  if (isGood) climb.winner = { page, judgement, hop }
  return isGood
}

/** What the simulators do on a host says nothing about the host. */
export function memoryKey({ mode }: CallTools, url: string): string {
  const { hostname } = new URL(url)
  return mode === 'test' ? `test:${hostname}` : hostname
}
