/**
 * List prices of the makers that are called directly, in dollars a million tokens. Read in November 2026 from the
 * makers' price pages; those of images and embeddings date from 2025 and are to be checked against a bill.
 */
import { readRatePerMillion, type PicoDollars } from '../lib/token-price.ts'

export type MakerRates = {
  readonly prompt: PicoDollars
  readonly completion: PicoDollars
  readonly cacheRead: PicoDollars
  readonly cacheWrite: PicoDollars
  /** Kept for an hour instead of minutes. */
  readonly cacheWriteLong: PicoDollars
}

/** `long` applies to the whole of a request whose prompt is above that many tokens. */
export type MakerModel = MakerRates & { readonly long?: { readonly above: number; readonly rates: MakerRates } }

type Row = readonly [prompt: string, completion: string, cacheRead: string, cacheWrite?: string, cacheWriteLong?: string]

function rates([prompt, completion, cacheRead, cacheWrite = prompt, cacheWriteLong = cacheWrite]: Row): MakerRates {
  return { prompt: rate(prompt), completion: rate(completion), cacheRead: rate(cacheRead), cacheWrite: rate(cacheWrite), cacheWriteLong: rate(cacheWriteLong) }
}

function rate(dollars: string): PicoDollars {
  return readRatePerMillion(dollars) ?? 0n
}

const OPUS = rates(['5', '25', '0.50', '6.25', '10'])

export const anthropicModels: ReadonlyMap<string, MakerModel> = new Map<string, MakerModel>([
  ['claude-fable-5-1', rates(['10', '50', '0.25', '12.50', '20'])],
  ['claude-opus-5-5', rates(['4', '20', '0.20', '5', '8'])],
  ['claude-sonnet-5-5', rates(['2', '10', '0.10', '2.50', '4'])],
  ['claude-sonnet-5', rates(['2', '10', '0.20', '2.50', '4'])],
  ['claude-haiku-5-5', { ...rates(['0.10', '0.50', '0.01', '0.125', '0.20']), long: { above: 100_000, rates: rates(['0.50', '2.50', '0.05', '0.625', '1']) } }],
  ...['claude-opus-5', 'claude-opus-4-8', 'claude-opus-4-7', 'claude-opus-4-6', 'claude-opus-4-5'].map((id): [string, MakerModel] => [id, OPUS]),
  ['claude-haiku-4-5', rates(['1', '5', '0.10', '1.25', '2'])],
])

/** Above 272 000 tokens of prompt: twice the price of the prompt, one and a half times that of the answer. */
function openaiModel(prompt: string, completion: string, cacheRead: string): MakerModel {
  const base = rates([prompt, completion, cacheRead])
  const long: MakerRates = { prompt: base.prompt * 2n, completion: (base.completion * 3n) / 2n, cacheRead: base.cacheRead * 2n, cacheWrite: base.prompt * 2n, cacheWriteLong: base.prompt * 2n }
  return { ...base, long: { above: 272_000, rates: long } }
}

export const openaiModels: ReadonlyMap<string, MakerModel> = new Map<string, MakerModel>([
  ['gpt-6-astra', openaiModel('10', '50', '1')],
  ['gpt-6.1-sol', openaiModel('2', '10', '0.10')],
  ['gpt-6-sol', openaiModel('2', '10', '0.20')],
  ['gpt-6.1-terra', openaiModel('1', '5', '0.05')],
  ['gpt-6-luna', openaiModel('0.10', '0.50', '0.01')],
])

export const embeddingModels: ReadonlyMap<string, PicoDollars> = new Map([
  ['text-embedding-3-small', rate('0.02')],
  ['text-embedding-3-large', rate('0.13')],
  ['text-embedding-ada-002', rate('0.10')],
])

/** Of text and images that go in, and images that come out. */
export const imageModels: ReadonlyMap<string, { readonly text: PicoDollars; readonly image: PicoDollars; readonly output: PicoDollars }> = new Map([
  ['gpt-image-1', { text: rate('5'), image: rate('10'), output: rate('40') }],
  ['gpt-image-1-mini', { text: rate('2'), image: rate('2.50'), output: rate('8') }],
])

/** Tokens that one image takes, by quality, at the largest of the sizes offered. */
export const imageTokens: Readonly<Record<'low' | 'medium' | 'high', number>> = { low: 408, medium: 1_584, high: 6_240 }
