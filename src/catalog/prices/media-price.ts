/** Prices of media models and the parameters that decide them. */
import { minMicros, maxMicros, type Micros } from '../../lib/money.ts'
import type { Data } from '../vocabulary/outcome.ts'
import { worstCase } from './price.ts'
import type { Price } from '../vocabulary/tariff.ts'
import { type MediaKind, type Rate, type MediaModel } from '../vocabulary/media-model.ts'

type ListedPrice = Pick<
  Extract<Price<Data>, { kind: 'unit' }>,
  'kind' | 'rate' | 'unit' | 'atMost' | 'base'
> & {
  readonly counted:
    | { readonly by: 'list' }
    | { readonly by: 'number'; readonly field: 'duration'; readonly defaultCount: number }
}

const SYNC_KINDS: ReadonlySet<MediaKind> = new Set(['image', 'speech', 'music'])

/** Whether the answer contains the file. Other kinds are rendered by jobs. */
export function isSync({ kind }: Pick<MediaModel, 'kind'>): boolean {
  return SYNC_KINDS.has(kind)
}

export function withDefaults({ params }: MediaModel, input: Data): Data {
  const defaults: Data = Object.fromEntries(
    Object.entries(params).flatMap(([name, { default: preset, defaultWithout = [] }]) =>
      preset === undefined || defaultWithout.some((other) => input[other] !== undefined)
        ? []
        : [[name, preset] as const],
    ),
  )
  return { ...defaults, ...input }
}

/**
 * The price of this input. A low `max_cost_cents` shortens the files that a call may have; without
 * files it is rejected, because an image cannot be shortened.
 */
export function priceOfModel(model: MediaModel, input: Data): ListedPrice {
  const { rate, perInputImage = 0n } = rateOf(model, withDefaults(model, input))
  return {
    kind: 'unit',
    rate,
    base: perInputImage * BigInt(inputImages(input).length),
    unit: model.unit,
    atMost: (sent) => model.units(withDefaults(model, sent)),
    counted:
      model.length === undefined
        ? { by: 'list' }
        : {
            by: 'number',
            field: 'duration',
            defaultCount: Number(model.params['duration']?.default),
          },
  }
}

/** The maximum number of `image_urls`. `image_url` may add one more. */
export const MAX_IMAGE_URLS = 10

const MAX_INPUT_IMAGES = 1 + MAX_IMAGE_URLS

/** The URLs of the input images. */
export function inputImages({
  image_url: first,
  image_urls: others = [],
}: Data): readonly string[] {
  return [first, ...(others as readonly unknown[])].filter((address) => typeof address === 'string')
}

function rateOf({ rates }: MediaModel, input: Data): Rate {
  return (
    rates.find(({ when = {} }) =>
      Object.entries(when).every(([name, value]) => input[name] === value),
    ) ?? { rate: highestRate(rates) }
  )
}

function highestRate(rates: readonly Rate[]): Micros {
  return maxMicros(0n, ...rates.map(({ rate }) => rate))
}

function lowestRate(rates: readonly Rate[]): Micros {
  return minMicros(highestRate(rates), ...rates.map(({ rate }) => rate))
}

/**
 * The price of the cheapest complete result of these models: one image, one video, 1,000 spoken
 * characters.
 */
export function cheapestResult(models: readonly MediaModel[]): Micros {
  const [first = 0n, ...rest] = models.map(({ rates, span: [least] }) =>
    priceOfUnits(lowestRate(rates), Math.max(1, least)),
  )
  return minMicros(first, ...rest)
}

/** The prices of the cheapest and of the most expensive call of these models. */
export function priceRangeOf(models: readonly MediaModel[]): {
  readonly least: Micros
  readonly most: Micros
} {
  const spans = models.map(({ rates, span: [least, most] }) => {
    const imagePrice =
      maxMicros(0n, ...rates.map(({ perInputImage = 0n }) => perInputImage)) *
      BigInt(MAX_INPUT_IMAGES)
    return {
      least: priceOfUnits(lowestRate(rates), least),
      most: priceOfUnits(highestRate(rates), most) + imagePrice,
    }
  })
  const [first] = spans
  return {
    least: minMicros(first?.least ?? 0n, ...spans.map(({ least }) => least)),
    most: maxMicros(0n, ...spans.map(({ most }) => most)),
  }
}

function priceOfUnits(rate: Micros, units: number): Micros {
  return worstCase(
    { price: { kind: 'unit', rate, unit: 'unit', atMost: () => units, counted: { by: 'list' } } },
    {},
  )
}
