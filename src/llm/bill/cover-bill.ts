import { minMicros } from '../../lib/money.ts'
import type { Bill } from './bill.ts'
import type { Prompt } from './prompt.ts'
import type { ActiveCompletion } from './active-completion.ts'

/** No model writes a longer response, including its thinking. */
const MOST_ANSWER_TOKENS = 262_144
const MOST_OVERHEAD_TOKENS = 10_000

/**
 * Enlarges the hold for a bill above it, within the available balance, the key's limit, the daily
 * cap and the caller's `max_cost_cents`. Ignores impossible token counts. Await it before writing
 * anything that contains the charge.
 */
export async function coverBill(completion: ActiveCompletion, bill: Bill): Promise<Bill> {
  const {
    request: { maxCost, choices },
    prompt,
    held,
  } = completion
  const wanted = (maxCost === null ? bill.cost : minMicros(bill.cost, maxCost)) - held.hold.amount
  if (bill.charge === 0n || wanted <= 0n || !isPossible(bill, prompt, choices)) return bill
  return { ...bill, charge: minMicros(bill.cost, await held.enlarge(wanted)) }
}

/** Every token of a text has at least one byte. */
function isPossible(
  { usage }: Bill,
  { text, mediaTokens, messageCount }: Prompt,
  choices: number,
): boolean {
  const mostRead =
    Buffer.byteLength(text) + 2 * mediaTokens.most + 16 * messageCount + MOST_OVERHEAD_TOKENS
  return usage.prompt <= mostRead && usage.completion <= MOST_ANSWER_TOKENS * choices
}
