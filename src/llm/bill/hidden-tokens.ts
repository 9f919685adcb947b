/**
 * Tokens of hidden thinking: they are billed like others, but only the reported usage contains
 * them.
 */
import type { Delivered } from '../stream/delivered.ts'
import { canThink, type Candidate } from '../lists/model.ts'
import { RecentMap } from '../../lib/recent-map.ts'
import type { ReportedUsage } from './usage.ts'
import { addressOf } from '../ask/upstream.ts'

const MOST_MODELS = 2_000
const LAST_ANSWERS = 32
const CHARACTERS_PER_TOKEN = 4

/**
 * Stores the hidden tokens of each model's last reported responses. Memory: 32 numbers for each of
 * the 1 000 to 2 000 most recently used models.
 */
export class HiddenTokens {
  readonly #lastOf = new RecentMap<string, number[]>(MOST_MODELS)

  /** `choices`: the number of choices that the usage covers. */
  learn(
    candidate: Candidate,
    { usage }: ReportedUsage,
    answer: { readonly delivered: () => Delivered; readonly choices: number },
  ): void {
    const shown =
      usage.reasoning === 0 ? 0 : Math.ceil(answer.delivered().thoughtLength / CHARACTERS_PER_TOKEN)
    const name = nameOf(candidate)
    const known = this.#lastOf.get(name)
    const last = known ?? []
    last.push(Math.max(0, usage.reasoning - shown) / answer.choices)
    if (last.length > LAST_ANSWERS) last.shift()
    if (known === undefined) this.#lastOf.set(name, last)
  }

  /** The mean per choice, rounded up; 0 without data. */
  meanOf(candidate: Candidate): number {
    const last = this.#lastOf.get(nameOf(candidate)) ?? []
    return last.length === 0 ? 0 : Math.ceil(last.reduce((sum, one) => sum + one, 0) / last.length)
  }

  /**
   * The operator's setting. Otherwise, only a list of parameters without thinking shows that the
   * model cannot think.
   */
  canThink(candidate: Candidate): boolean {
    return (
      candidate.thinks ??
      (canThink(candidate) !== false ||
        candidate.rates.reasoning !== undefined ||
        this.meanOf(candidate) > 0)
    )
  }
}

function nameOf({ upstream, upstreamModel }: Candidate): string {
  return `${addressOf(upstream)} ${upstreamModel}`
}
