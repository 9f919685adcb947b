import type { CallTools } from '../../catalog/vocabulary/handlers.ts'
import { withoutCharge } from '../../catalog/prices/hop.ts'
import type { DomainMemory } from './domain-memory.ts'
import type { Judgement, PageTask, ReadPage } from './page-row.ts'
import type { ExtractPage, PageReading } from './readers/page-reading.ts'

export type ReaderDeps = {
  readonly judge: (page: ReadPage, url: string) => Judgement
  readonly extract: ExtractPage
  readonly memory: DomainMemory
}

/** Adds a reading to the page's task. Returns whether the page is read; any other reading is free. */
export function acceptReading(
  { judge }: Pick<ReaderDeps, 'judge'>,
  task: PageTask,
  { hop, page, flags, reason, refusal, isUnreachable, isReasonOfReader }: PageReading,
): boolean {
  if (isUnreachable === true) task.isUnreachable = true
  if (refusal !== null) task.refusal = refusal
  if (page === null) {
    if (reason !== null && (isReasonOfReader !== true || !task.isReasonOfPage)) {
      task.lastReason = reason
      task.isReasonOfPage = isReasonOfReader !== true
    }
    if (flags.length > 0) task.lastFlags = flags
    task.hops.push(withoutCharge({ ...hop, ok: false }))
    return false
  }
  const judgement = page.judgement ?? judge(page, task.address)
  const isGood = judgement.flags.length === 0
  task.hops.push(isGood ? hop : withoutCharge({ ...hop, ok: false }))
  task.lastFlags = judgement.flags
  if (isGood) task.winner = { page, judgement, hop }
  return isGood
}

/** Simulated readings are remembered apart from real ones. */
export function memoryKey({ mode }: CallTools, url: string): string {
  const { hostname } = new URL(url)
  return mode === 'test' ? `test:${hostname}` : hostname
}
