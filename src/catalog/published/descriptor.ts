/** GET /api/run/{service}/{action}: everything that a caller needs to know before the call. */
import { toRfc3339 } from '../../lib/clock.ts'
import { keptFields } from '../vocabulary/text-rest.ts'
import {
  type Action,
  type EndpointAction,
  type EndpointEntry,
  type Service,
} from '../vocabulary/define.ts'
import { endpointName, type EndpointName } from '../titles/endpoint-names.ts'
import { invariant } from '../../errors/app-error.ts'
import { callParamsOf } from './call-params.ts'
import { realmOf } from '../vocabulary/merchant.ts'
import { leastEndpointCharge, worstCase } from '../prices/price.ts'
import { priceIdOf } from '../prices/price-id.ts'
import { answerSchema } from './answer-schema.ts'
import { billingBlock } from './billing-block.ts'
import { actionUrl, type Published } from './catalog-index.ts'
import type { LaneStatus } from './lane.ts'
import { liveModels } from './live-services.ts'
import { curlExample } from './curl-example.ts'
import { endpointExample } from './endpoint-example.ts'
import { exampleNeeds } from './example-needs.ts'
import { inputSchema, type JsonSchema } from './json-schema.ts'
import { centsNumber, endpointAmount, listedMost, priceBlock } from './price-block.ts'
import { requiredEndpointParams, requiredParams } from './required-params.ts'
import { timeLimitMs } from './time-limit.ts'

/** For a passthrough it lists the endpoints; `endpointDescriptor` describes one of them. */
export function descriptor({ laneOf, publicUrl }: Published, service: Service, name: string) {
  const action = service.actions[name]
  invariant(action !== undefined, `${service.id} has the described action`)
  const url = actionUrl(publicUrl, service.id, name)
  const { live, lanes } = laneOf(service.id, name)
  return {
    ok: true,
    service: service.id,
    action: name,
    kind: action.kind,
    category: service.category,
    title: action.title,
    summary: action.summary,
    description: action.description ?? action.summary,
    method: 'POST',
    endpoint: url,
    price: { ...priceBlock(action), ...exampleCost(action) },
    price_id: priceIdOf({ service, action }),
    ...upcomingPrices(service, action),
    billing: billingBlock(action),
    params: inputSchema(action),
    ...requiredParams(action),
    call_params: callParamsOf(action),
    ...(action.kind === 'endpoint'
      ? {
          endpoints: action.endpoints.map((entry) =>
            endpointLine(action, entry, {
              ...endpointName(service, name, entry.endpoint),
              ...laneOf(service.id, name, entry.endpoint),
            }),
          ),
        }
      : {}),
    returns: answerSchema(service, name) ?? null,
    example: action.example,
    example_needs: exampleNeeds(action),
    curl: curlExample(url, action.example),
    live,
    lanes,
    /** The media models that work on this gateway. */
    ...(action.kind === 'job' && action.inHouse !== undefined
      ? { live_models: liveModels(service, name, laneOf) }
      : {}),
    payment: paymentBlock(action),
    timeout_ms: timeLimitMs(action),
    /**
     * Fields under `data` whose files the gateway stores. `kept_files` of the answer lists the
     * files.
     */
    kept_files: keptFields(action.fileFields).map(({ field }) => field),
    /** "untrusted": third parties wrote text in the answer, so an agent must not obey it. */
    content_trust: action.untrustedContent ? 'untrusted' : null,
  }
}

/** Prices that the operator announced. */
function upcomingPrices(service: Service, { upcoming }: Action) {
  if (upcoming === undefined) return {}
  return {
    upcoming_prices: upcoming.map(({ fromMs, action }) => ({
      from: toRfc3339(fromMs),
      price: priceBlock(action),
      price_id: priceIdOf({ service, action }),
    })),
  }
}

/** One endpoint of a passthrough, with its own schema; undefined if it is not listed. */
export function endpointDescriptor(
  published: Published,
  service: Service,
  name: string,
  endpoint: string,
) {
  const action = service.actions[name]
  if (action?.kind !== 'endpoint') return undefined
  const entry = action.endpoints.find((listed) => listed.endpoint === endpoint)
  if (entry === undefined) return undefined
  const { endpoints: _, ...whole } = descriptor(published, service, name)
  const alone = { ...action, endpoints: [entry] }
  const example = endpointExample(action, entry)
  return {
    ...whole,
    ...endpointName(service, name, entry.endpoint),
    summary: entry.summary,
    upstream_endpoint: entry.endpoint,
    price: priceBlock(alone),
    price_id: priceIdOf({ service, action }, endpoint),
    payment: paymentBlock(alone),
    example,
    curl: curlExample(whole.endpoint, example),
    params: branchOf(action, entry),
    returns: answerSchema(service, name, endpoint) ?? null,
    ...requiredEndpointParams(entry),
    ...published.laneOf(service.id, name, endpoint),
  }
}

/** The most that the example can cost, if the price depends on the input. */
function exampleCost(action: Action) {
  const { price } = action
  const depends =
    ['unit', 'computed', 'budget'].includes(price.kind) ||
    (price.kind === 'actual' && price.atMost !== undefined)
  return depends ? { example_cents: centsNumber(worstCase(action, action.example)) } : {}
}

/**
 * The merchant of the lane "wallet" and the most that it may be paid per call or unit. The caller
 * is charged the same amount.
 */
function paymentBlock(action: Action) {
  const merchant =
    action.kind === 'call' || action.kind === 'endpoint' ? action.merchant?.at : undefined
  if (merchant === undefined) return null
  const { method, asset } = merchant
  return {
    merchant: realmOf(merchant),
    method,
    currency: asset.currency,
    chain_id: asset.chainId,
    cap_cents: centsNumber(listedMost(action)),
  }
}

function endpointLine(
  action: EndpointAction,
  entry: EndpointEntry,
  { title, group, live }: EndpointName & LaneStatus,
) {
  return {
    endpoint: entry.endpoint,
    title,
    group,
    summary: entry.summary,
    price_cents: centsNumber(leastEndpointCharge(action, entry)),
    max_price_cents: centsNumber(endpointAmount(action, entry)),
    ...requiredEndpointParams(entry),
    live,
  }
}

function branchOf(action: EndpointAction, entry: EndpointEntry): JsonSchema {
  const branch = inputSchema(action).oneOf?.find(
    ({ properties }) => properties?.['endpoint']?.const === entry.endpoint,
  )
  invariant(branch !== undefined, 'every listed endpoint has its branch in the input schema')
  return branch
}
