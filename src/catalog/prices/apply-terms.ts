/** The operator's price of an action in place of its record's. */
import { cents } from '../../lib/money.ts'
import type { Action, Service, SessionMeter } from '../vocabulary/action.ts'
import type { MediaModels } from '../vocabulary/media-model.ts'
import type { Data } from '../vocabulary/outcome.ts'
import type { Margin, Price, PriceTerms } from '../vocabulary/tariff.ts'
import { readMargin, withMargin } from './margin.ts'

const SOURCE = 'Set by the operator of this gateway.'

/** Takes an action without terms, and terms that `findTermsFault` accepts for it. */
export function applyTerms<A extends Action>(action: A, terms: PriceTerms): A {
  const priced =
    'cents' in terms
      ? withAmounts(action, terms)
      : addMargin(action, readMargin(terms.margin_percent))
  return { ...priced, priceSource: SOURCE, terms, unpriced: action }
}

/** Why the terms cannot apply to the action; null if they can. Completes the sentence "The price of … ". */
export function findTermsFault(action: Action, terms: PriceTerms): string | null {
  const { price } = action
  if (price.kind === 'free') return 'is free: an action without a price cannot get one'
  if (price.kind === 'budget') return 'is that of its steps: set the prices of the steps'
  if (!('cents' in terms)) return null
  const isSimple =
    (price.kind === 'flat' || (price.kind === 'unit' && price.advertised === undefined)) &&
    !action.hasExceptions &&
    action.leastCharge === undefined &&
    (action.kind !== 'local' || action.meter === undefined) &&
    (action.kind !== 'endpoint' || action.endpoints.every((entry) => entry.price === undefined))
  if (!isSimple) return 'has several amounts: use margin_percent, which changes all of them'
  const [hasBase, hasMinimum] =
    price.kind === 'unit' ? [price.base !== undefined, price.minimum !== undefined] : [false, false]
  // A rate alone would leave the other amounts at the list price.
  if (hasBase !== (terms.base_cents !== undefined))
    return hasBase
      ? 'also has a base price: add "base_cents"'
      : 'has no base price: remove "base_cents"'
  if (hasMinimum !== (terms.minimum_cents !== undefined))
    return hasMinimum
      ? 'also has a minimum: add "minimum_cents"'
      : 'has no minimum: remove "minimum_cents"'
  return null
}

/** An exception of the record, such as a cheaper model, has no single amount: `findTermsFault` rejects it. */
function withAmounts<A extends Action>(
  action: A,
  {
    cents: amount,
    base_cents: base,
    minimum_cents: minimum,
  }: Extract<PriceTerms, { readonly cents: string }>,
): A {
  const { price } = action
  const priced: Price<Data> =
    price.kind !== 'unit'
      ? { kind: 'flat', amount: cents(amount) }
      : {
          ...price,
          rate: cents(amount),
          ...(base === undefined ? {} : { base: cents(base) }),
          ...(minimum === undefined ? {} : { minimum: cents(minimum) }),
        }
  return { ...action, price: priced, priceFor: () => priced }
}

function addMargin<A extends Action>(action: A, margin: Margin): A {
  const { billing, leastCharge, priceFor } = action
  const { pollPrice } = billing
  return {
    ...action,
    price: priceWith(action.price, margin),
    priceFor: (input: Data) => priceWith(priceFor(input), margin),
    ...(leastCharge === undefined ? {} : { leastCharge: withMargin(leastCharge, margin) }),
    ...(pollPrice === undefined
      ? {}
      : { billing: { ...billing, pollPrice: withMargin(pollPrice, margin) } }),
    ...(action.kind === 'endpoint' ? { endpoints: endpointsWith(action.endpoints, margin) } : {}),
    ...(action.kind === 'local' && action.meter !== undefined
      ? { meter: meterWith(action.meter, margin) }
      : {}),
    // A handler of the gateway reports charges of its steps, which have their own margins.
    ...(action.kind === 'local' ? {} : { margin }),
  }
}

function priceWith(price: Price<Data>, margin: Margin): Price<Data> {
  const up = (amount: bigint): bigint => withMargin(amount, margin)
  switch (price.kind) {
    case 'free':
    case 'budget':
      return price
    case 'flat':
      return { ...price, amount: up(price.amount) }
    case 'unit': {
      const { base, minimum, advertised } = price
      return {
        ...price,
        rate: up(price.rate),
        ...(base === undefined ? {} : { base: up(base) }),
        ...(minimum === undefined ? {} : { minimum: up(minimum) }),
        ...(advertised === undefined
          ? {}
          : {
              advertised: { ...advertised, least: up(advertised.least), most: up(advertised.most) },
            }),
      }
    }
    case 'actual': {
      const { atMost, withKey } = price
      return {
        ...price,
        cap: up(price.cap),
        ...(atMost === undefined ? {} : { atMost: (input: Data) => up(atMost(input)) }),
        ...(withKey === undefined ? {} : { withKey: up(withKey) }),
      }
    }
    case 'computed':
      return {
        ...price,
        amount: (input) => up(price.amount(input)),
        least: up(price.least),
        most: up(price.most),
      }
  }
}

type Endpoints = Extract<Action, { kind: 'endpoint' }>['endpoints']

function endpointsWith(endpoints: Endpoints, margin: Margin): Endpoints {
  return endpoints.map((entry) => ({
    ...entry,
    ...(entry.price === undefined ? {} : { price: withMargin(entry.price, margin) }),
    ...(entry.leastCharge === undefined
      ? {}
      : { leastCharge: withMargin(entry.leastCharge, margin) }),
  }))
}

function meterWith({ use, ...meter }: SessionMeter, margin: Margin): SessionMeter {
  if (use === undefined) return meter
  const { cpuHour, gigabyteHour } = use
  return {
    ...meter,
    use: {
      cpuHour: withMargin(cpuHour, margin),
      gigabyteHour: withMargin(gigabyteHour, margin),
    },
  }
}

/** The published prices of media models, for the margin of the action that runs them. */
export function modelsWith(models: MediaModels, margin: Margin): MediaModels {
  const all = models.all.map((model) => ({
    ...model,
    rates: model.rates.map(({ rate, perInputImage, ...when }) => ({
      ...when,
      rate: withMargin(rate, margin),
      ...(perInputImage === undefined ? {} : { perInputImage: withMargin(perInputImage, margin) }),
    })),
  }))
  const byKey = new Map(all.map((model) => [model.key, model]))
  return { ...models, all, find: (key) => byKey.get(key) ?? models.find(key) }
}

/** The service with its models at the margin of its priced action, if it offers models. */
export function serviceWithModels(service: Service): Service {
  if (service.models === undefined) return service
  const margin = Object.values(service.actions).find(
    ({ kind, margin: own }) => kind === 'job' && own !== undefined,
  )?.margin
  return margin === undefined ? service : { ...service, models: modelsWith(service.models, margin) }
}
