import { randomInt } from 'node:crypto'
import { countTokens } from './count-tokens.ts'

// Many short windows, so that dense tokens in a few places of a long text affect few shares.
const SHARES = 512
const WINDOW_UNITS = 256

/** The number of counted characters (UTF-16 units). Only longer texts are sampled. */
export const SAMPLED_UNITS = SHARES * WINDOW_UNITS

/** Created once per process, so that equal texts get equal counts. */
let secret: { readonly start: number; readonly factor: number } | undefined

/**
 * Counts one window in each of many equal shares of a long text and extrapolates. The positions are
 * secret and depend on every character, so that error messages with a price do not reveal them.
 * `deviation` is the standard deviation of `tokens`, estimated from the differences of adjacent
 * windows.
 */
export function sampleTokens(text: string): {
  readonly tokens: number
  readonly deviation: number
} {
  const seed = seedOf(text)
  const share = text.length / SHARES
  let [tokens, variance] = [0, 0]
  let before: number | null = null
  for (let index = 0; index < SHARES; index += 1) {
    const start = Math.floor(index * share + scatter(seed, index) * (share - WINDOW_UNITS))
    const window = text.slice(start, start + WINDOW_UNITS)
    const inShare = (countTokens(window) * share) / window.length
    tokens += inShare
    if (before !== null) variance += (inShare - before) ** 2 / 2
    before = inShare
  }
  return { tokens, deviation: Math.sqrt(variance) }
}

/** A hash with a secret factor: one multiplication per character, about 20 ms for 20 MiB. */
function seedOf(text: string): number {
  secret ??= { start: randomInt(2 ** 32), factor: randomInt(2 ** 31) * 2 + 1 }
  const { start, factor } = secret
  let hash = start
  for (let place = 0; place < text.length; place += 1)
    hash = Math.imul(hash ^ text.charCodeAt(place), factor)
  return hash
}

/** A number from 0 to 1, spread by MurmurHash3's finalizer. */
function scatter(seed: number, index: number): number {
  let hash = seed ^ Math.imul(index + 1, 0x85eb_ca6b)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85eb_ca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2_ae35)
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32
}
