/**
 * Determines the cost of a response: reported with it, recorded by the upstream, or counted here.
 */
import { billOf, isCredible, type Bill } from './bill.ts'
import { coverBill } from './cover-bill.ts'
import type { Delivered } from '../stream/delivered.ts'
import { readGenerationRecord } from './generation-record.ts'
import type { Candidate } from '../lists/model.ts'
import type { ActiveCompletion } from './active-completion.ts'
import type { TokenUsage } from '../tokens/token-price.ts'
import type { ReportedUsage } from './usage.ts'

export type Served = {
  readonly candidate: Candidate
  readonly delivered: () => Delivered
  readonly reported: ReportedUsage | null
  readonly promptUsage: TokenUsage | null
  /**
   * `final`: no more usage will arrive. `running`: the stream was cancelled, so the reported usage
   * may be too low. `failed`: the upstream ended early, so its hidden tokens are not charged.
   */
  readonly usageIs: 'final' | 'running' | 'failed'
  readonly generationId: unknown
  /** The caller disconnected after the upstream accepted the request. */
  readonly isOwed: boolean
}

/**
 * Bills a response. Only a reported cost may enlarge the hold; an estimate stays within it. Waits
 * only if the upstream may have a record of an unreported response, or if the hold is too small.
 */
export async function meter(completion: ActiveCompletion, served: Served): Promise<Bill> {
  const bill = await billFor(completion, served)
  return bill.metering === 'reported' ? coverBill(completion, bill) : bill
}

async function billFor(
  { router, prompt, held, request }: ActiveCompletion,
  served: Served,
): Promise<Bill> {
  const { candidate, delivered, usageIs } = served
  // A request of no tokens fills the prompt cache, so its answer is complete although it has no text.
  const isForCache = request.maxTokens === 0 && usageIs !== 'failed'
  const texts = (): readonly string[] => delivered().texts
  const isReported = usageIs === 'final' && isCredible(served.reported, texts)
  const recorded =
    isReported || usageIs === 'failed'
      ? null
      : await readGenerationRecord(candidate.upstream, served.generationId, router.times)
  const reported = recorded ?? served.reported
  if (!isForCache && reported !== null && (isReported || recorded !== null))
    router.hiddenTokens.learn(candidate, reported, { delivered, choices: request.choices })
  const hiddenTokens =
    usageIs === 'failed' || isForCache ? 0 : request.choices * router.hiddenTokens.meanOf(candidate)
  const bill = (usage: ReportedUsage | null): Bill =>
    billOf({
      candidate,
      reported: usage,
      promptUsage: served.promptUsage,
      prompt,
      texts,
      hiddenTokens,
      isOwed: served.isOwed || isForCache,
      held: held.hold.amount,
      startedMs: held.startedMs,
    })
  if (usageIs !== 'running' || recorded !== null || reported === null) return bill(reported)
  const [soFar, counted] = [bill(reported), bill(null)]
  return counted.cost > soFar.cost ? counted : soFar
}
