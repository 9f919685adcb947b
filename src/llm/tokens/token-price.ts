/**
 * What tokens cost. Model lists price a token in decimals of a dollar far finer than a micro-dollar, so rates are whole
 * pico-dollars a token: the same figure as micro-dollars a million tokens. One call's sum is rounded up once.
 */
import { MICROS_PER_DOLLAR, type Micros } from '../../lib/money.ts'

export type PicoDollars = bigint

const PICOS_PER_MICRO = 1_000_000n
const DECIMALS = 12

/** Kinds without a rate of their own are priced as the prompt or the completion that they are part of. */
export type TokenRates = {
  readonly prompt: PicoDollars
  readonly completion: PicoDollars
  readonly cacheRead?: PicoDollars
  readonly cacheWrite?: PicoDollars
  readonly reasoning?: PicoDollars
  readonly audio?: PicoDollars
  /** For the call itself, whatever its length. */
  readonly request?: PicoDollars
}

/** Counts as chat-completions report them: cached and audio tokens are part of the prompt's, reasoning of the completion's. */
export type TokenUsage = {
  readonly prompt: number
  readonly completion: number
  readonly cacheRead: number
  readonly cacheWrite: number
  readonly audioIn: number
  readonly reasoning: number
  readonly audioOut: number
}

export function plainUsage(prompt: number, completion: number): TokenUsage {
  return { prompt, completion, cacheRead: 0, cacheWrite: 0, audioIn: 0, reasoning: 0, audioOut: 0 }
}

export function costOf(usage: TokenUsage, rates: TokenRates): Micros {
  const cacheRead = Math.min(usage.cacheRead, usage.prompt)
  const cacheWrite = Math.min(usage.cacheWrite, usage.prompt - cacheRead)
  const audioIn = Math.min(usage.audioIn, usage.prompt - cacheRead - cacheWrite)
  const reasoning = Math.min(usage.reasoning, usage.completion)
  const audioOut = Math.min(usage.audioOut, usage.completion - reasoning)
  return costOfParts(
    [usage.prompt - cacheRead - cacheWrite - audioIn, rates.prompt],
    [cacheRead, rates.cacheRead ?? rates.prompt],
    [cacheWrite, rates.cacheWrite ?? rates.prompt],
    [audioIn, rates.audio ?? rates.prompt],
    [usage.completion - reasoning - audioOut, rates.completion],
    [reasoning, rates.reasoning ?? rates.completion],
    [audioOut, rates.audio ?? rates.completion],
    [1, rates.request ?? 0n],
  )
}

/** Counts of tokens with the rate of each, summed and rounded up once. */
export function costOfParts(...parts: readonly (readonly [number, PicoDollars])[]): Micros {
  return toMicrosRoundedUp(parts.reduce((sum, [count, rate]) => sum + BigInt(count) * rate, 0n))
}

/** The dearest that one token of the prompt, and one of the completion, can be. */
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

/** "0.0000001" or 1e-7 dollars; finer digits than a pico-dollar round up. Null for what is no amount, or is below zero. */
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

/** Whoever adds amounts as binary fractions sends 0.0043560000000000005 for 0.004356: fifteen digits are all that such a number holds. */
function withoutNoise(amount: number): string {
  return String(Number(amount.toPrecision(15)))
}

/** Dollars a million tokens, as people read prices: `readRatePerMillion('0.15')`. */
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
