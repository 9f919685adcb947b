/** Calls against the simulated vendors, from validation to charge, for tests of one service. */
import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { AppError } from '../../errors/app-error.ts'
import type { ErrorCode } from '../../errors/catalog.ts'
import { systemClock } from '../../lib/clock.ts'
import { cents, type Micros } from '../../lib/money.ts'
import { startSimulators, type Simulators } from '../../simulators/start.ts'
import {
  isLaunched,
  type CallAction,
  type EndpointAction,
  type JobAction,
} from '../vocabulary/define.ts'
import type { Data, Outcome } from '../vocabulary/outcome.ts'
import type { VendorFailure, WireRequest } from '../vocabulary/wire.ts'
import { createCatalog, type Entry } from '../index.ts'
import { billable, worstCase } from '../prices/price.ts'
import { createValidator } from '../validate/validate.ts'
import { mapReplyToCode } from '../answers/vendor-failure.ts'
import { askSource } from './ask-source.ts'

type Result =
  | { readonly outcome: Outcome; readonly charged: Micros }
  | { readonly failure: VendorFailure | undefined }

const catalog = createCatalog()
const validator = createValidator()

/**
 * Call it once at the top of a test file. Starts the simulators before the tests and closes them
 * after. Their clock stands still, so a job stays in progress.
 */
export function withSimulators() {
  let simulators: Simulators
  before(async () => {
    const startedMs = systemClock()
    simulators = await startSimulators({ now: () => startedMs })
  })
  after(() => simulators.close())

  async function run(id: string, sent: Data): Promise<Result> {
    const { action, service, input } = prepared(id, sent)
    assert.ok(service.vendor !== undefined)
    const { ok, reply } = await askSource(
      `${simulators.url}/${service.vendor.label ?? service.id}`,
      service.vendor,
      action,
      input,
    )
    if (!ok)
      return {
        failure: service.vendor.readFailure?.(reply) ?? { code: mapReplyToCode(reply) },
      }
    assert.ok(validator.matches(action.reply, reply.body))
    const outcome = action.outcome(reply, input)
    return { outcome, charged: billable(action, input, outcome) }
  }

  /** The vendor's answer and its charge. */
  async function answerOf(id: string, sent: Data): Promise<Extract<Result, { outcome: Outcome }>> {
    const result = await run(id, sent)
    assert.ok('outcome' in result, id)
    return result
  }

  async function chargeOf(id: string, sent: Data): Promise<Micros> {
    return (await answerOf(id, sent)).charged
  }

  /** Kind of outcome and cents, such as "done 7". */
  async function outcomeAndCents(id: string, sent: Data): Promise<string> {
    const { outcome, charged } = await answerOf(id, sent)
    return `${outcome.kind} ${charged / cents('1')}`
  }

  /** The failed outcome of a successful vendor reply. Asserts that it is free. */
  async function missOf(id: string, sent: Data): Promise<Extract<Outcome, { kind: 'failed' }>> {
    const result = await run(id, sent)
    assert.ok('outcome' in result && result.outcome.kind === 'failed')
    assert.equal(result.charged, 0n)
    return result.outcome
  }

  /** The code of a call that the vendor answered with an error status. */
  async function failureOf(id: string, sent: Data): Promise<ErrorCode | undefined> {
    const result = await run(id, sent)
    assert.ok('failure' in result, 'the vendor answered with a success')
    return result.failure?.code
  }

  /** The same call through the action's open source. */
  async function runOpen(id: string, sent: Data): Promise<Result> {
    const { action, input } = prepared(id, sent)
    const source = action.kind === 'call' ? action.openSource : action.entryFor(input)?.openSource
    assert.ok(source !== undefined)
    const { ok, reply } = await askSource(
      `${simulators.url}/${source.vendor.label}`,
      source.vendor,
      source,
      input,
    )
    if (!ok)
      return {
        failure: source.vendor.readFailure?.(reply) ?? { code: mapReplyToCode(reply) },
      }
    assert.ok(validator.matches(source.reply, reply.body))
    const outcome = source.outcome(reply, input)
    return { outcome, charged: billable(action, input, outcome) }
  }
  /** The data of a complete delivery. */
  const dataOf = async (id: string, sent: Data): Promise<Data> =>
    deliveredIn(await run(id, sent), id)
  const openDataOf = async (id: string, sent: Data): Promise<Data> =>
    deliveredIn(await runOpen(id, sent), id)
  return { run, runOpen, dataOf, openDataOf, chargeOf, outcomeAndCents, missOf, failureOf }
}

function deliveredIn(result: Result, id: string): Data {
  assert.ok('outcome' in result && result.outcome.kind === 'done', id)
  return result.outcome.data
}

/** The amount that a call with this input holds. */
export function heldFor(id: string, sent: Data): Micros {
  const { action, input } = prepared(id, sent)
  return worstCase(action, input)
}

/** The request that the vendor receives. */
export function wireOf(id: string, sent: Data): WireRequest {
  const { action, input } = prepared(id, sent)
  return action.request(input)
}

/** A validated and checked input, with its action. */
export function prepared(
  id: string,
  sent: Data,
): { action: CallAction | EndpointAction; service: Entry['service']; input: Data } {
  const { action: found, service } = find(id)
  const input = validator.validate(found.input, sent)
  found.check(input)
  const action = found.kind === 'job' && !isLaunched(found, input) ? answeredAtOnce(found) : found
  assert.ok(action.kind === 'call' || action.kind === 'endpoint')
  return { action, service, input }
}

/** Such a job is an ordinary call. */
function answeredAtOnce({ directly, ...action }: JobAction): CallAction {
  assert.ok(directly !== undefined)
  return {
    ...action,
    ...directly,
    kind: 'call',
    paidTime: undefined,
    merchant: undefined,
    openSource: undefined,
    ownership: undefined,
    inHouse: undefined,
    limits: undefined,
  }
}

/** The error with which validation or the action's `check` rejects an input. */
export function refusal(id: string, sent: Data): AppError {
  const { action } = find(id)
  try {
    action.check(validator.validate(action.input, sent))
  } catch (error) {
    assert.ok(error instanceof AppError)
    return error
  }
  assert.fail('the input was accepted')
}

/** A page URL that makes the simulators fail; "fine" makes them succeed. */
export function page(fault: string): string {
  return `https://${fault}.sim.test/article`
}

function find(id: string): Entry {
  const [serviceId = '', name = ''] = id.split('/')
  return catalog.findAction(serviceId, name)
}
