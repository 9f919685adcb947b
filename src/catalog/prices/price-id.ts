/** Ids of price rules. A changed price or billing rule has another id. */
import { createHash } from 'node:crypto'
import { canonicalJson } from '../../lib/canonical-json.ts'
import { billingBlock } from '../published/billing-block.ts'
import { endpointAmount, listedMost, priceBlock } from '../published/price-block.ts'
import type { Action, EndpointEntry, Service } from '../vocabulary/define.ts'
import type { Data } from '../vocabulary/outcome.ts'
import { leastCharge, leastEndpointCharge, worstCase } from './price.ts'

/** An action and its service, as in an `Entry` of the catalog. */
export type PricedEntry = {
  readonly service: Pick<Service, 'models'>
  readonly action: Action
}

type Ids = { readonly whole: string; readonly byEndpoint: ReadonlyMap<unknown, string> }

const computed = new WeakMap<Action, Ids>()

/**
 * The id of the price rule of an action, or of one endpoint of a passthrough: "price_" and 12
 * hexadecimal digits. It depends on the published amounts, the billing rule and the price of the
 * example, and not on wording. Every process of a version returns the same id.
 */
export function priceIdOf(entry: PricedEntry, endpoint?: unknown): string {
  const { whole, byEndpoint } = idsOf(entry)
  return byEndpoint.get(endpoint) ?? whole
}

/** The id that applies to a call with this validated input. */
export function priceIdFor(entry: PricedEntry, input: Data): string {
  return priceIdOf(entry, entry.action.kind === 'endpoint' ? input['endpoint'] : undefined)
}

function idsOf(entry: PricedEntry): Ids {
  const known = computed.get(entry.action)
  if (known !== undefined) return known
  const ids = computeIds(entry)
  computed.set(entry.action, ids)
  return ids
}

function computeIds({ service, action }: PricedEntry): Ids {
  const endpoints = action.kind === 'endpoint' ? action.endpoints : []
  const rule = ruleOf(action)
  return {
    whole: hash({
      ...rule,
      example: worstCase(action, action.example),
      endpoints: endpoints.map((entry) => amountsOf(action, entry)),
      models: service.models?.all.map(({ key, unit, rates }) => [key, unit, rates]),
    }),
    byEndpoint: new Map(
      endpoints.map((entry) => [
        entry.endpoint,
        hash({ ...ruleOf(alone(action, entry)), endpoint: amountsOf(action, entry) }),
      ]),
    ),
  }
}

function ruleOf(action: Action): object {
  const { text: _, ...amounts } = priceBlock(action)
  return {
    ...amounts,
    least: leastCharge(action),
    most: listedMost(action),
    billing: billingBlock(action),
  }
}

function alone(action: Action, entry: EndpointEntry): Action {
  return action.kind === 'endpoint' ? { ...action, endpoints: [entry] } : action
}

function amountsOf(action: Action, entry: EndpointEntry): readonly unknown[] {
  return [entry.endpoint, leastEndpointCharge(action, entry), endpointAmount(action, entry)]
}

function hash(rule: object): string {
  const text = JSON.stringify(rule, (_, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  )
  const digits = createHash('sha256')
    .update(canonicalJson(JSON.parse(text)))
    .digest('hex')
  return `price_${digits.slice(0, 12)}`
}
