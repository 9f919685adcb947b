import { randomInt } from 'node:crypto'
import { countTokens } from './count-tokens.ts'

// Many short windows: tokens that hide in a few places of a long text are in few of its shares too.
const SHARES = 512
const WINDOW_UNITS = 256

/** How many units are counted; only longer texts are sampled. */
export const SAMPLED_UNITS = SHARES * WINDOW_UNITS

/** Made once for a process, so that a text is always measured alike and no caller knows where. */
let secret: number | undefined

/**
 * Counts a window at a hidden place in each of many equal shares of a long text, and takes each share for like its window.
 * `deviation` is the standard deviation of `tokens`, by what neighbouring windows differ.
 */
export function sampleTokens(text: string): {
  readonly tokens: number
  readonly deviation: number
} {
  secret ??= randomInt(2 ** 32)
  const share = text.length / SHARES
  let [tokens, variance] = [0, 0]
  let before: number | null = null
  for (let index = 0; index < SHARES; index += 1) {
    const start = Math.floor(
      index * share + scatter(secret, text.length, index) * (share - WINDOW_UNITS),
    )
    const window = text.slice(start, start + WINDOW_UNITS)
    const inShare = (countTokens(window) * share) / window.length
    tokens += inShare
    if (before !== null) variance += (inShare - before) ** 2 / 2
    before = inShare
  }
  return { tokens, deviation: Math.sqrt(variance) }
}

/** From 0 to 1, spread by the finisher of MurmurHash3. */
function scatter(seed: number, length: number, index: number): number {
  let hash = seed ^ Math.imul(length + 1, 0x9e37_79b1) ^ Math.imul(index + 1, 0x85eb_ca6b)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85eb_ca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2_ae35)
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32
}
