import { minMicros } from '../../lib/money.ts'
import type { Bill } from './bill.ts'
import type { Prompt } from './prompt-tokens.ts'
import type { ActiveCompletion } from './active-completion.ts'

/** No model writes a longer answer, its thoughts included. */
const MOST_ANSWER_TOKENS = 262_144
const MOST_TOKENS_BESIDE_TEXT = 10_000

/**
 * A bill whose cost is above its hold takes the rest from what else is free: of the balance, the key's ceiling, the daily
 * cap and the caller's `max_cost_cents`. A count that no call can come to takes nothing. To be awaited before anything that
 * names the charge is written.
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

/** Every token of a text takes a byte at least. */
function isPossible(
  { usage }: Bill,
  { text, mediaTokens, messageCount }: Prompt,
  choices: number,
): boolean {
  const mostRead =
    Buffer.byteLength(text) + 2 * mediaTokens.most + 16 * messageCount + MOST_TOKENS_BESIDE_TEXT
  return usage.prompt <= mostRead && usage.completion <= MOST_ANSWER_TOKENS * choices
}
