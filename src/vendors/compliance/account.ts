/**
 * Checks under the vendor's key. They are paid in euro from the operator's balance, which the
 * answers contain.
 */
import { AppError } from '../../errors/app-error.ts'
import { formatDollars, maxMicros, type Micros } from '../../lib/money.ts'
import { maxCostError } from '../../catalog/prices/max-cost-error.ts'
import { isFilled } from '../../catalog/answers/filled.ts'
import { isPending } from '../../catalog/answers/pending.ts'
import { failed, type Data, type Outcome } from '../../catalog/vocabulary/outcome.ts'
import { field, textField } from '../../catalog/answers/vendor-failure.ts'
import { get, post, type Reply, type WireRequest } from '../../catalog/vocabulary/wire.ts'

/** The price of one of the vendor's euro cents. */
const MICROS_PER_EURO_CENT = 10_800n

/** Polls of a check that the vendor runs in the background. */
const POLLS = 40
const POLL_EVERY_MS = 4_000

const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1)

/** Sends the vendor the most that the check may cost. The vendor rejects a more expensive check. */
export function checkRequest(path: string, parameters: Data, most: Micros): WireRequest {
  const request = {
    inputs: parameters,
    max_price_cents: Number(maxMicros(1n, most / MICROS_PER_EURO_CENT)),
  }
  const wire = path.includes('/solutions/')
    ? post(`/v1/solutions/${nameOf(path)}/execute`, request)
    : post('/v1/do', { capability_slug: nameOf(path), ...request })
  return { ...wire, acceptedStatuses: [402] }
}

/** The vendor's report on a check; undefined for an unknown form. */
type Work = {
  readonly id: string
  readonly status: string
  readonly price: Micros
  readonly report: unknown
}

/** A first report is under `result`, a polled one at the top level. */
function readWork(body: unknown): Work | undefined {
  const result = field(body, 'result')
  const report = field(result, 'transaction_id') === undefined ? body : result
  const [id, status, euroCents] = [
    textField(report, 'transaction_id') || textField(report, 'id'),
    textField(report, 'status'),
    field(report, 'price_cents'),
  ]
  if (id === '' || status === '') return undefined
  // A check that runs may have no price yet.
  if (!isCount(euroCents)) return isPending(status) ? { id, status, price: 0n, report } : undefined
  return { id, status, price: BigInt(euroCents) * MICROS_PER_EURO_CENT, report }
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0
}

/** Polls while the check runs. Throws AppError for a check that costs more than allowed. */
function pollCheck({ status, body }: Reply, cap: Micros, held: Micros = cap): WireRequest | null {
  if (status === 402) rejectAbovePrice(body, cap, held)
  const work = readWork(body)
  if (work === undefined || !isPending(work.status)) return null
  return {
    ...get(`/v1/transactions/${encodeURIComponent(work.id)}`),
    afterMs: POLL_EVERY_MS,
    retry: { times: 2, afterMs: 1_000 },
  }
}

/** The requests that may follow the first one. */
export function polls(
  capOf: (input: Data) => Micros,
): readonly ((reply: Reply, input: Data, held?: Micros) => WireRequest | null)[] {
  return Array.from(
    { length: POLLS },
    () => (reply: Reply, input: Data, held?: Micros) => pollCheck(reply, capOf(input), held),
  )
}

function rejectAbovePrice(body: unknown, cap: Micros, held: Micros): void {
  const euroCents = field(field(body, 'details'), 'actual_price_cents')
  if (textField(body, 'error_code') !== 'budget_exceeded' || !isCount(euroCents)) return
  const price = BigInt(euroCents) * MICROS_PER_EURO_CENT
  if (price > cap)
    throw new AppError(
      'price_unknown',
      "The vendor's price for this check is above its listed price. Nothing was charged.",
    )
  throw maxCostError(
    `This check costs ${formatDollars(price)}; this call may cost ${formatDollars(held)}.`,
    price,
    held,
  )
}

/**
 * The outcome of a check; undefined for an unknown form. Its fields are at the top level, as with a
 * merchant. The operator's remaining balance is removed.
 */
export function checkOutcome({ status, body }: Reply): Outcome | undefined {
  if (status === 402)
    return failed(
      'upstream_payment',
      'The vendor demands payment from the operator of this gateway. Nothing was charged.',
    )
  const work = readWork(body)
  if (status === 202 || isPending(work?.status ?? field(field(body, 'result'), 'status')))
    return {
      ...failed(
        'order_unknown',
        'The check still runs at the vendor, and the gateway stopped waiting. Nothing was charged.',
        { transaction_id: work?.id ?? null },
      ),
      fix: 'A repetition orders a second check. The operator can look up this one at the vendor by details.transaction_id.',
    }
  if (work === undefined) return undefined
  if (work.status === 'failed')
    return failed('upstream_error', 'The check failed at the vendor. Nothing was charged.')
  const fields = fieldsOf(work.report)
  if (!isFilled(fields))
    return failed('no_results', 'The check returned no result. Nothing was charged.')
  return { kind: 'done', data: { ...fields, _meta: metaOf(work) }, actual: work.price }
}

/** The fields of a single check, or the results of the steps of a combined one. */
function fieldsOf(report: unknown): Data {
  const output = field(report, 'output')
  if (output === undefined)
    return pickFields(report, ['status', 'steps', 'errors', 'step_count', 'gated'])
  return typeof output === 'object' && output !== null && !Array.isArray(output)
    ? (output as Data)
    : { output }
}

function metaOf({ report, price }: Work): Data {
  const capability =
    field(report, 'capability_used') ??
    field(report, 'capability_slug') ??
    field(report, 'solution_slug')
  return {
    capability,
    ...pickFields(report, ['latency_ms', 'provenance']),
    payment: { method: 'balance', price_usd: Number(price) / 1_000_000 },
  }
}

function pickFields(report: unknown, names: readonly string[]): Data {
  return Object.fromEntries(
    names
      .map((name): [string, unknown] => [name, field(report, name)])
      .filter(([, value]) => value !== undefined),
  )
}
