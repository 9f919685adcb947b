import type { CallTools } from '../../catalog/vocabulary/handlers.ts'
import { withoutCharge } from '../../catalog/prices/hop.ts'
import { namesView } from '../../reader/fetch/view-fragment.ts'
import type { DomainMemory } from './domain-memory.ts'
import type { AcceptedReading, Judgement, PageHop, PageTask, ReadPage } from './page-row.ts'
import type { ExtractPage, PageReading } from './readers/page-reading.ts'

export type ReaderDeps = {
  readonly judge: (page: ReadPage, url: string) => Judgement
  readonly extract: ExtractPage
  readonly memory: DomainMemory
}

/**
 * A page that a reader without scripts reads with a lower yield is also read by a browser. The
 * better reading counts, and only that one is charged.
 */
export const DOUBTFUL_YIELD = 0.5

/**
 * Adds a reading to the page's task. Returns whether the page is read; any other reading is free,
 * except a doubtful one that no later reading replaces.
 */
export function acceptReading(
  { judge }: Pick<ReaderDeps, 'judge'>,
  task: PageTask,
  reading: PageReading,
): boolean {
  const { hop, page, flags, reason, refusal, isUnreachable, isReasonOfReader } = reading
  if (isUnreachable === true) task.isUnreachable = true
  if (refusal !== null && task.doubtful === null) task.refusal = refusal
  if (page === null) {
    if (reason !== null && (isReasonOfReader !== true || !task.isReasonOfPage)) {
      task.lastReason = reason
      task.isReasonOfPage = isReasonOfReader !== true
    }
    if (flags.length > 0) task.lastFlags = flags
    task.hops.push(withoutCharge({ ...hop, ok: false }))
    return false
  }
  const judgement = page.judgement ?? judgeByText({ judge }, task, page, reading)
  const isGood = judgement.flags.length === 0
  task.hops.push(isGood ? hop : withoutCharge({ ...hop, ok: false }))
  if (isGood || task.doubtful === null) task.lastFlags = judgement.flags
  if (isGood) settleReading(task, { page, judgement, hop, call: reading.call }, reading)
  return isGood && task.winner !== null
}

/** Without scripts, a vendor returns the first view instead of the one that the address names. */
function judgeByText(
  { judge }: Pick<ReaderDeps, 'judge'>,
  { address }: PageTask,
  page: ReadPage,
  { ignoresScripts }: PageReading,
): Judgement {
  return ignoresScripts === true && namesView(address)
    ? { yield: 0, flags: ['thin_content'] }
    : judge(page, address)
}

/** A browser's reading is final. One without scripts is final if its yield is not low. */
function settleReading(
  task: PageTask,
  accepted: AcceptedReading,
  { ignoresScripts }: PageReading,
): void {
  const { doubtful } = task
  if (doubtful !== null && doubtful.judgement.yield >= accepted.judgement.yield) {
    uncharge(task, accepted.hop)
    acceptDoubtful(task)
  } else if (ignoresScripts === true && accepted.judgement.yield < DOUBTFUL_YIELD) {
    if (doubtful !== null) uncharge(task, doubtful.hop)
    task.doubtful = accepted
  } else {
    if (doubtful !== null) uncharge(task, doubtful.hop)
    task.doubtful = null
    task.winner = accepted
  }
}

/** Makes a doubtful reading the winner when no other reader read the page. */
export function acceptDoubtful(task: PageTask): void {
  const { doubtful } = task
  if (task.winner !== null || doubtful === null) return
  task.winner = doubtful
  task.doubtful = null
  task.lastFlags = []
}

function uncharge(task: PageTask, hop: PageHop): void {
  const place = task.hops.indexOf(hop)
  if (place >= 0) task.hops[place] = withoutCharge(hop)
}

/** Simulated readings are remembered apart from real ones. */
export function memoryKey({ mode }: CallTools, url: string): string {
  const { hostname } = new URL(url)
  return mode === 'test' ? `test:${hostname}` : hostname
}
