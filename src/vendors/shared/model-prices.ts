/**
 * List prices of the directly called providers, in dollars per million tokens. From the providers'
 * price pages, November 2026. The embedding prices date from 2025 and need a check against a bill.
 */
import { readRatePerMillion, type PicoDollars } from '../../llm/tokens/token-price.ts'

export type MakerRates = {
  readonly prompt: PicoDollars
  readonly completion: PicoDollars
  readonly cacheRead: PicoDollars
  readonly cacheWrite: PicoDollars
  /** Cached for an hour instead of minutes. */
  readonly cacheWriteLong: PicoDollars
}

/** `long` applies to the whole request if its prompt has more tokens than that. */
export type MakerModel = MakerRates & {
  readonly long?: { readonly above: number; readonly rates: MakerRates }
}

type Row = readonly [
  prompt: string,
  completion: string,
  cacheRead: string,
  cacheWrite?: string,
  cacheWriteLong?: string,
]

function rates([
  prompt,
  completion,
  cacheRead,
  cacheWrite = prompt,
  cacheWriteLong = cacheWrite,
]: Row): MakerRates {
  return {
    prompt: rate(prompt),
    completion: rate(completion),
    cacheRead: rate(cacheRead),
    cacheWrite: rate(cacheWrite),
    cacheWriteLong: rate(cacheWriteLong),
  }
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
  [
    'claude-haiku-5-5',
    {
      ...rates(['0.10', '0.50', '0.01', '0.125', '0.20']),
      long: { above: 100_000, rates: rates(['0.50', '2.50', '0.05', '0.625', '1']) },
    },
  ],
  ...[
    'claude-opus-5',
    'claude-opus-4-8',
    'claude-opus-4-7',
    'claude-opus-4-6',
    'claude-opus-4-5',
  ].map((id): [string, MakerModel] => [id, OPUS]),
  ['claude-haiku-4-5', rates(['1', '5', '0.10', '1.25', '2'])],
])

/** Above 272,000 prompt tokens the prompt costs twice as much and the answer 1.5 times as much. */
function openaiModel(prompt: string, completion: string, cacheRead: string): MakerModel {
  const base = rates([prompt, completion, cacheRead])
  const long: MakerRates = {
    prompt: base.prompt * 2n,
    completion: (base.completion * 3n) / 2n,
    cacheRead: base.cacheRead * 2n,
    cacheWrite: base.prompt * 2n,
    cacheWriteLong: base.prompt * 2n,
  }
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

export type ImageSize = '1024x1024' | '1024x1536' | '1536x1024' | 'auto'
export type ImageQuality = 'low' | 'medium' | 'high'

/** Rates of input text, input images and output images, and the most tokens of one image. */
export type ImageModel = {
  readonly text: PicoDollars
  readonly image: PicoDollars
  readonly output: PicoDollars
  readonly tokens: Readonly<Record<ImageQuality, Readonly<Record<ImageSize, number>>>>
}

type Sizes = readonly [square: number, upright: number, wide: number]

function imageModel(
  [text, image, output]: readonly [string, string, string],
  low: Sizes,
  medium: Sizes,
  high: Sizes,
): ImageModel {
  const bySize = ([square, upright, wide]: Sizes) => ({
    '1024x1024': square,
    '1024x1536': upright,
    '1536x1024': wide,
    auto: Math.max(square, upright, wide),
  })
  return {
    text: rate(text),
    image: rate(image),
    output: rate(output),
    tokens: { low: bySize(low), medium: bySize(medium), high: bySize(high) },
  }
}

const LOW: Sizes = [217, 184, 184]
const MEDIUM: Sizes = [1_784, 1_384, 1_384]
const HIGH: Sizes = [7_050, 5_517, 5_517]
const RATES = ['5', '8', '30'] as const
const SECOND = imageModel(RATES, LOW, MEDIUM, HIGH)
// The provider lists the same rates. Resellers measured three to four times the tokens of 2.5 at
// low and medium quality, which for medium is still below gpt-image-2 (docs.laozhang.ai, 2026-11).
const SECOND_6 = imageModel(RATES, [4 * 217, 4 * 184, 4 * 184], MEDIUM, HIGH)

/** Rates of developers.openai.com/api/docs/models, November 2026. */
export const imageModels: ReadonlyMap<string, ImageModel> = new Map([
  ['gpt-image-2.6-flare', SECOND_6],
  ['gpt-image-2.6-sunburst', SECOND_6],
  ['gpt-image-2.5-flare', SECOND],
  ['gpt-image-2.5-sunburst', SECOND],
  ['gpt-image-2', SECOND],
])
