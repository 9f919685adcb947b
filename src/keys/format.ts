import { hash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Mode } from '../lib/mode.ts'

/**
 * A key's secret: `tg_live_` or `tg_test_`, 32 random base62 characters (190 bits), then a CRC-32
 * of all that in six base62 characters. The checksum detects mistyped and made-up keys without a
 * lookup, and lets secret scanners report a leaked key with certainty.
 */
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const RANDOM_LENGTH = 32
const CHECKSUM_LENGTH = 6
const PREFIXES = { live: 'tg_live_', test: 'tg_test_' } as const
const SECRET = /^tg_(live|test)_[0-9A-Za-z]{38}$/
const SHOWN_RANDOM_LENGTH = 4

export const SECRET_LENGTH = PREFIXES.live.length + RANDOM_LENGTH + CHECKSUM_LENGTH

/** `randomBelow(limit)` is uniform over 0 … limit − 1 and cryptographically strong. */
export function newSecret(mode: Mode, randomBelow: (limit: number) => number = randomInt): string {
  let text: string = PREFIXES[mode]
  for (let place = 0; place < RANDOM_LENGTH; place += 1)
    text += ALPHABET.charAt(randomBelow(ALPHABET.length))
  return text + checksum(text)
}

/** The mode of a well-formed secret; null for anything else, a wrong checksum included. */
export function modeOfSecret(text: string): Mode | null {
  const mode = SECRET.exec(text)?.[1]
  if (
    mode === undefined ||
    checksum(text.slice(0, -CHECKSUM_LENGTH)) !== text.slice(-CHECKSUM_LENGTH)
  )
    return null
  return mode === 'live' ? 'live' : 'test'
}

/**
 * The part of a secret that may be shown: enough to distinguish keys, useless for guessing the
 * rest.
 */
export function shownPrefix(secret: string): string {
  return secret.slice(0, PREFIXES.live.length + SHOWN_RANDOM_LENGTH)
}

/**
 * SHA-256 in hexadecimal, the only stored form of a secret. Its 190 random bits need no slow hash.
 */
export function hashSecret(secret: string): string {
  return hash('sha256', secret, 'hex')
}

function checksum(text: string): string {
  let rest = crc32(text)
  let digits = ''
  for (let place = 0; place < CHECKSUM_LENGTH; place += 1) {
    digits = ALPHABET.charAt(rest % ALPHABET.length) + digits
    rest = Math.floor(rest / ALPHABET.length)
  }
  return digits
}
