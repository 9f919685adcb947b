/** Prices of media models, and the parameters that they depend on. */
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

/** Whether the file comes with the answer; the others are rendered by jobs. */
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

/** The list names the price of one unit. A ceiling that does not pay for all that is asked for lowers how long files may be, and is refused else: nothing is cut from a picture. */
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

/** `image_url`, and as many `image_urls` as there may be. */
export const MOST_IMAGE_URLS = 10

const MOST_PICTURES = 1 + MOST_IMAGE_URLS

/** The pictures that are given to work with. */
export function inputImages({
  image_url: first,
  image_urls: others = [],
}: Data): readonly string[] {
  return [first, ...(others as readonly unknown[])].filter((address) => typeof address === 'string')
}

function rateOf({ rates }: MediaModel, asked: Data): Rate {
  return (
    rates.find(({ when = {} }) =>
      Object.entries(when).every(([name, value]) => asked[name] === value),
    ) ?? { rate: dearest(rates) }
  )
}

function dearest(rates: readonly Rate[]): Micros {
  return maxMicros(0n, ...rates.map(({ rate }) => rate))
}

function cheapest(rates: readonly Rate[]): Micros {
  return minMicros(dearest(rates), ...rates.map(({ rate }) => rate))
}

/** What the cheapest whole result of these models costs: a picture, a film, a thousand spoken characters. */
export function cheapestResult(models: readonly MediaModel[]): Micros {
  const [first = 0n, ...rest] = models.map(({ rates, span: [least] }) =>
    priceOfUnits(cheapest(rates), Math.max(1, least)),
  )
  return minMicros(first, ...rest)
}

/** What the cheapest and the dearest call of these models cost. */
export function priceRangeOf(models: readonly MediaModel[]): {
  readonly least: Micros
  readonly most: Micros
} {
  const spans = models.map(({ rates, span: [least, most] }) => {
    const pictures =
      maxMicros(0n, ...rates.map(({ perInputImage = 0n }) => perInputImage)) * BigInt(MOST_PICTURES)
    return {
      least: priceOfUnits(cheapest(rates), least),
      most: priceOfUnits(dearest(rates), most) + pictures,
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
