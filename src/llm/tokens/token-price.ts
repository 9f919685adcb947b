/**
 * Prices of tokens. Lists price a token far below a micro-dollar, so rates are integers of
 * pico-dollars per token, which equal micro-dollars per million tokens. The sum of a call is
 * rounded up once.
 */
import { MICROS_PER_DOLLAR, type Micros } from '../../lib/money.ts'

export type PicoDollars = bigint

const PICOS_PER_MICRO = 1_000_000n
const DECIMALS = 12

/** Kinds without their own rate cost as much as the prompt or completion that contains them. */
export type TokenRates = {
  readonly prompt: PicoDollars
  readonly completion: PicoDollars
  readonly cacheRead?: PicoDollars
  readonly cacheWrite?: PicoDollars
  /** For a cache that lasts an hour. Without its own rate it costs twice the prompt, if a cache has any rate. */
  readonly cacheWriteLong?: PicoDollars
  readonly reasoning?: PicoDollars
  readonly audio?: PicoDollars
  /** Per call, regardless of its length. */
  readonly request?: PicoDollars
}

/**
 * Counts as in chat-completions: cached and audio tokens are part of the prompt, reasoning tokens
 * of the completion.
 */
export type TokenUsage = {
  readonly prompt: number
  readonly completion: number
  readonly cacheRead: number
  /** Written to a cache for minutes. */
  readonly cacheWrite: number
  /** Written to a cache for an hour. */
  readonly cacheWriteLong: number
  readonly audioIn: number
  readonly reasoning: number
  readonly audioOut: number
}

export function plainUsage(prompt: number, completion: number): TokenUsage {
  return {
    prompt,
    completion,
    cacheRead: 0,
    cacheWrite: 0,
    cacheWriteLong: 0,
    audioIn: 0,
    reasoning: 0,
    audioOut: 0,
  }
}

export function costOf(usage: TokenUsage, rates: TokenRates): Micros {
  const cacheRead = Math.min(usage.cacheRead, usage.prompt)
  const cacheWrite = Math.min(usage.cacheWrite, usage.prompt - cacheRead)
  const cacheWriteLong = Math.min(usage.cacheWriteLong, usage.prompt - cacheRead - cacheWrite)
  const cached = cacheRead + cacheWrite + cacheWriteLong
  const audioIn = Math.min(usage.audioIn, usage.prompt - cached)
  const reasoning = Math.min(usage.reasoning, usage.completion)
  const audioOut = Math.min(usage.audioOut, usage.completion - reasoning)
  return costOfParts(
    [usage.prompt - cached - audioIn, rates.prompt],
    [cacheRead, rates.cacheRead ?? rates.prompt],
    [cacheWrite, rates.cacheWrite ?? rates.prompt],
    [cacheWriteLong, longCacheRate(rates)],
    [audioIn, rates.audio ?? rates.prompt],
    [usage.completion - reasoning - audioOut, rates.completion],
    [reasoning, rates.reasoning ?? rates.completion],
    [audioOut, rates.audio ?? rates.completion],
    [1, rates.request ?? 0n],
  )
}

// Lists contain the price of a cache for minutes; for an hour it is twice the price of the prompt.
const LONG_CACHE_FACTOR = 2n

/** The rate of a token that is written to a cache for an hour. */
export function longCacheRate({ prompt, cacheWrite, cacheWriteLong }: TokenRates): PicoDollars {
  return cacheWriteLong ?? (cacheWrite === undefined ? prompt : prompt * LONG_CACHE_FACTOR)
}

/** Sums counts multiplied by their rates, rounded up once. */
export function costOfParts(...parts: readonly (readonly [number, PicoDollars])[]): Micros {
  return toMicrosRoundedUp(parts.reduce((sum, [count, rate]) => sum + BigInt(count) * rate, 0n))
}

/** The highest rates of a prompt token and of a completion token. */
export function dearestRates({
  prompt,
  completion,
  cacheRead = 0n,
  cacheWrite = 0n,
  reasoning = 0n,
  audio = 0n,
}: TokenRates): { prompt: PicoDollars; completion: PicoDollars } {
  return {
    prompt: most(prompt, cacheRead, cacheWrite, audio),
    completion: most(completion, reasoning, audio),
  }
}

/**
 * Parses "0.0000001" or 1e-7 dollars; digits beyond a pico-dollar round up. Null for an invalid or
 * negative amount.
 */
export function readPicoDollars(value: unknown): PicoDollars | null {
  const text =
    typeof value === 'number' ? withoutNoise(value) : typeof value === 'string' ? value.trim() : ''
  const match = /^(\d{1,12})(?:\.(\d{1,40}))?(?:[eE]([+-]?\d{1,2}))?$/.exec(text)
  if (match === null) return null
  const [, whole = '0', fraction = '', exponent = '0'] = match
  const shift = DECIMALS - fraction.length + Number(exponent)
  const digits = BigInt(whole + fraction)
  if (shift >= 0) return digits * 10n ** BigInt(shift)
  const divisor = 10n ** BigInt(-shift)
  return (digits + divisor - 1n) / divisor
}

/**
 * Removes binary rounding: servers that add amounts as floats send 0.0043560000000000005 for
 * 0.004356. A float has fifteen exact digits.
 */
function withoutNoise(amount: number): string {
  return String(Number(amount.toPrecision(15)))
}

/** Parses dollars per million tokens, as people write prices: `readRatePerMillion('0.15')`. */
export function readRatePerMillion(value: unknown): PicoDollars | null {
  const picos = readPicoDollars(value)
  return picos === null ? null : (picos + MICROS_PER_DOLLAR - 1n) / MICROS_PER_DOLLAR
}

export function dollarsPerMillion(rate: PicoDollars): number {
  return Number(rate) / Number(MICROS_PER_DOLLAR)
}

export function toMicrosRoundedUp(amount: PicoDollars): Micros {
  return (amount + PICOS_PER_MICRO - 1n) / PICOS_PER_MICRO
}

export function microsToPicos(amount: Micros): PicoDollars {
  return amount * PICOS_PER_MICRO
}

function most(first: bigint, ...rest: bigint[]): bigint {
  return rest.reduce((left, right) => (right > left ? right : left), first)
}
