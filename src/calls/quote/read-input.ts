/** What a call asks for: its body, validated strictly, and the lane that it would go through. */
import type { Entry } from '../../catalog/index.ts'
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import { anyAddress, type AddressCheck } from '../../catalog/validate/web-address.ts'
import { AppError } from '../../errors/app-error.ts'
import type { Mode } from '../../lib/mode.ts'
import type { Micros } from '../../lib/money.ts'
import type { Lane } from '../lanes/lanes.ts'
import { readMaxCost } from './max-cost.ts'
import type { Performers } from '../perform/perform.ts'

export type CheckedInput = {
  readonly input: Data
  readonly maxCost: Micros | null
  /** How the call will be carried out; null where the action is not set up. */
  readonly lane: Lane | null
}

const NEARLY_MAX_COST = /^max_?cost(_?(cents?|usd))?$/i

/**
 * `max_cost_cents` may stand in any body; the rest is the action's own input. No body at all is an input without fields.
 * Throws AppError for what the action does not take, or the lane that it would go through.
 */
export function readInput(
  { validator, lanes, checkAddress = anyAddress }: Performers,
  entry: Entry,
  mode: Mode,
  body: unknown = {},
): CheckedInput {
  const { action } = entry
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body)
  const { max_cost_cents: ceiling, ...rest } = isObject ? (body as Data) : {}
  const maxCost = readMaxCost(ceiling)
  const misspelt = Object.keys(rest).find((name) => NEARLY_MAX_COST.test(name))
  if (misspelt !== undefined)
    throw new AppError('invalid_params', `"${misspelt}" is not a known parameter.`, {
      param: misspelt,
      fix: 'Did you mean `max_cost_cents`? It is in whole cents.',
    })
  const input = validator.validate(action.input, isObject ? rest : body)
  const lane = lanes.laneFor(entry, mode, input)
  // What would be a service's to fetch, at ports of its own choice, is the gateway's where it does the service's work.
  const judge: AddressCheck =
    lane?.kind === 'in-house'
      ? (address, param) => checkAddress(address, param, 'gateway')
      : checkAddress
  action.check(input, judge)
  lane?.check?.(input, judge)
  if (mode === 'test') rehearse(lanes.laneFor(entry, 'live', input), input)
  return { input, maxCost, lane }
}

/** A test call is refused for what the open source that would answer a live call does not take. What that has no lane for is simulated. */
function rehearse(live: Lane | null, input: Data): void {
  if (live?.kind !== 'open') return
  try {
    live.check?.(input, anyAddress)
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'upstream_not_configured') throw error
  }
}
