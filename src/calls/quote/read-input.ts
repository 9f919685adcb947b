import type { Entry } from '../../catalog/index.ts'
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import { anyAddress, type AddressCheck } from '../../catalog/validate/web-address.ts'
import { AppError } from '../../errors/app-error.ts'
import type { Mode } from '../../lib/mode.ts'
import type { Micros } from '../../lib/money.ts'
import type { Lane } from '../lanes/lane-parts.ts'
import { acceptsMaxChars } from '../../catalog/vocabulary/max-chars.ts'
import { readMaxChars } from '../bounding/max-chars.ts'
import { readConfirmLoop } from './confirm-loop.ts'
import { readMaxCost } from './max-cost.ts'
import { readPriceId, requirePriceId } from './price-id.ts'
import { readWebhookUrl } from './webhook-url.ts'
import type { PerformDeps } from '../perform/call-scope.ts'

export type CheckedInput = {
  readonly input: Data
  readonly maxCost: Micros | null
  /** Receives the event of a job's end. */
  readonly webhookUrl: string | null
  /** The most characters of the answer. Null without a limit. */
  readonly maxChars: number | null
  /** The token that lets a call pass the loop breaker. */
  readonly confirmLoop: string | null
  /** The lane of the call; null when the action is not set up. */
  readonly lane: Lane | null
}

const NEARLY_MAX_COST = /^max_?cost(_?(cents?|usd))?$/i

/**
 * Validates the body of a call. Any body may contain `max_cost_cents`, `price_id` and `confirm_loop`, that of a job `webhook_url`,
 * and that of a reading action `max_chars`; the rest is the input of the action. A missing body is an empty input. Throws AppError for input that the action, or its lane, does not accept.
 */
export function readInput(
  { validator, lanes, checkAddress = anyAddress }: PerformDeps,
  entry: Entry,
  mode: Mode,
  body: unknown = {},
): CheckedInput {
  const { action } = entry
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body)
  const {
    max_cost_cents: ceiling,
    webhook_url: url,
    confirm_loop: token,
    price_id: expectedPrice,
    ...given
  } = isObject ? (body as Data) : {}
  const { maxChars, rest } = takeMaxChars(action, given)
  const maxCost = readMaxCost(ceiling)
  const confirmLoop = readConfirmLoop(token)
  const priceId = readPriceId(expectedPrice)
  const misspelt = Object.keys(rest).find((name) => NEARLY_MAX_COST.test(name))
  if (misspelt !== undefined)
    throw new AppError('invalid_params', `"${misspelt}" is not a known parameter.`, {
      param: misspelt,
      fix: 'Did you mean `max_cost_cents`? It is in whole cents.',
    })
  const input = validator.validate(action.input, isObject ? rest : body)
  requirePriceId(entry, input, priceId)
  const webhookUrl = readWebhookUrl(url, entry, input, checkAddress)
  const lane = lanes.laneFor(entry, mode, input)
  // An in-house lane fetches the address from the gateway, which allows fewer ports.
  const judge: AddressCheck =
    lane?.kind === 'in-house'
      ? (address, param) => checkAddress(address, param, 'gateway')
      : checkAddress
  action.check(input, judge)
  lane?.check?.(input, judge)
  if (mode === 'test') checkLiveLane(lanes.laneFor(entry, 'live', input), input)
  return { input, maxCost, webhookUrl, maxChars, confirmLoop, lane }
}

function takeMaxChars(
  action: Entry['action'],
  given: Data,
): { readonly maxChars: number | null; readonly rest: Data } {
  if (!acceptsMaxChars(action)) return { maxChars: null, rest: given }
  const { max_chars: sent, ...rest } = given
  return { maxChars: readMaxChars(sent), rest }
}

/** Rejects test input that the public source of a live call would reject. Input without a live lane is simulated. */
function checkLiveLane(live: Lane | null, input: Data): void {
  if (live?.kind !== 'open') return
  try {
    live.check?.(input, anyAddress)
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'upstream_not_configured') throw error
  }
}
