import { createHash } from 'node:crypto'
import { closeSync, openSync, readSync } from 'node:fs'
import { invariant } from '../../errors/app-error.ts'

// The vocabulary never changes. OpenAI's own reader, tiktoken, also rejects a file with another
// hash (o200k_base in tiktoken_ext/openai_public.py).
const SHA_256 = '446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d'
const TOKEN_COUNT = 199_998
const TOKEN_BYTES = 1_397_670
const LONGEST_TOKEN_BYTES = 128
/** More than two slots per token, so that most searches end at the first. */
const SLOT_COUNT = 2 ** 19
/**
 * The lower bits of a slot hold the rank plus one, the upper bits those of the hash, to avoid most
 * comparisons.
 */
const RANK_BITS = 18
const RANK_MASK = 2 ** RANK_BITS - 1

/** The rank of bytes that form no token; after all others. */
export const NO_RANK = 2 ** 32 - 1

/** OpenAI's o200k_base: tokens by their bytes, in 4 MB that the garbage collector does not scan. */
export class TokenVocabulary {
  readonly #bytes = new Uint8Array(TOKEN_BYTES)
  /** The start of each rank in `#bytes`. */
  readonly #starts = new Uint32Array(TOKEN_COUNT + 1)
  readonly #slots = new Uint32Array(SLOT_COUNT)
  /** Ranks of two-byte tokens, the most frequent lookups. */
  readonly #pairs = new Uint32Array(2 ** 16).fill(NO_RANK)
  #count = 0

  rankOfPair(first: number, second: number): number {
    return this.#pairs[(first << 8) | second] ?? NO_RANK
  }

  /**
   * The rank of the token `text[start..end)`. Pairs that form a token of lower rank merge first.
   */
  rankOf(text: Uint8Array, start: number, end: number): number {
    const length = end - start
    if (length > LONGEST_TOKEN_BYTES) return NO_RANK
    const hash = hashOf(text, start, end)
    for (let slot = hash % SLOT_COUNT; ; slot = (slot + 1) % SLOT_COUNT) {
      const entry = this.#slots[slot] ?? 0
      if (entry === 0) return NO_RANK
      const rank = (entry & RANK_MASK) - 1
      if ((entry ^ hash) >>> RANK_BITS === 0 && this.#isToken(rank, text, start, length))
        return rank
    }
  }

  #isToken(rank: number, text: Uint8Array, start: number, length: number): boolean {
    const from = this.#starts[rank] ?? 0
    if ((this.#starts[rank + 1] ?? 0) - from !== length) return false
    for (let place = 0; place < length; place += 1) {
      if (this.#bytes[from + place] !== text[start + place]) return false
    }
    return true
  }

  /** Adds complete lines in rank order: the token's bytes in base64, a space, its rank. */
  addLines(lines: Uint8Array): void {
    const bytes = this.#bytes
    let end = this.#starts[this.#count] ?? 0
    for (let place = 0; place < lines.length; place += 1) {
      for (; lines[place] !== SPACE; place += 4) {
        const bits =
          (sixBits(lines, place) << 18) |
          (sixBits(lines, place + 1) << 12) |
          (sixBits(lines, place + 2) << 6) |
          sixBits(lines, place + 3)
        bytes[end] = bits >> 16
        bytes[end + 1] = bits >> 8
        bytes[end + 2] = bits
        end += 3
      }
      if (lines[place - 1] === PADDING) end -= lines[place - 2] === PADDING ? 2 : 1
      this.#endToken(end)
      while (lines[place] !== LINE_END) place += 1
    }
  }

  #endToken(end: number): void {
    const hash = hashOf(this.#bytes, this.#starts[this.#count] ?? 0, end)
    let slot = hash % SLOT_COUNT
    while (this.#slots[slot] !== 0) slot = (slot + 1) % SLOT_COUNT
    const start = this.#starts[this.#count] ?? 0
    if (end - start === 2)
      this.#pairs[((this.#bytes[start] ?? 0) << 8) | (this.#bytes[start + 1] ?? 0)] = this.#count
    this.#count += 1
    this.#starts[this.#count] = end
    this.#slots[slot] = (hash & ~RANK_MASK) | this.#count
  }
}

/** A 32-bit hash, spread by MurmurHash3's multipliers. */
function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = end - start
  for (let place = start; place < end; place += 1)
    hash = Math.imul(hash ^ (bytes[place] ?? 0), 0x85ebca6b) ^ (hash >>> 15)
  hash = Math.imul(hash ^ (hash >>> 16), 0xc2b2ae35)
  return (hash ^ (hash >>> 13)) >>> 0
}

const [SPACE, PADDING, LINE_END] = [0x20, 0x3d, 0x0a]
const SIX_BITS = new Uint8Array(256)
for (const [bits, digit] of [
  ...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
].entries())
  SIX_BITS[digit.charCodeAt(0)] = bits

function sixBits(lines: Uint8Array, place: number): number {
  return SIX_BITS[lines[place] ?? 0] ?? 0
}

const BLOCK_BYTES = 2 ** 16

/**
 * Takes about 40 ms. Reads the file in blocks: the whole file would use as much memory as the
 * tokens. Throws BrokenInvariant for another file, because a partial vocabulary would count too
 * many tokens.
 */
export function readTokenVocabulary(
  address = import.meta.resolve('gpt-tokenizer/data/o200k_base.tiktoken'),
): TokenVocabulary {
  const vocabulary = new TokenVocabulary()
  const block = new Uint8Array(BLOCK_BYTES)
  const file = openSync(new URL(address), 'r')
  try {
    invariant(
      hashOfFile(file, block) === SHA_256,
      `${address} is the vocabulary o200k_base, or the packages must be installed again`,
    )
    for (let [carried, read] = [0, 0]; ;) {
      const count = readSync(file, block, carried, BLOCK_BYTES - carried, read)
      if (count === 0) return vocabulary
      read += count
      const filled = carried + count
      const wholeLines = block.lastIndexOf(LINE_END, filled - 1) + 1
      vocabulary.addLines(block.subarray(0, wholeLines))
      block.copyWithin(0, wholeLines, filled)
      carried = filled - wholeLines
    }
  } finally {
    closeSync(file)
  }
}

function hashOfFile(file: number, block: Uint8Array): string {
  const hash = createHash('sha256')
  for (let read = 0; ;) {
    const count = readSync(file, block, 0, BLOCK_BYTES, read)
    if (count === 0) return hash.digest('hex')
    hash.update(block.subarray(0, count))
    read += count
  }
}
