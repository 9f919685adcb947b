/** Interprets a vendor's answer by the rules of an action's file. */
import { canonicalJson } from '../../lib/canonical-json.ts'
import { isFields } from '../../lib/json-fields.ts'
import { readPointer } from '../../lib/json-pointer.ts'
import { maxMicros, type Micros } from '../../lib/money.ts'
import { filledRows, isFilled } from '../answers/filled.ts'
import { isErrorAlone, mapStatusToCode } from '../answers/vendor-failure.ts'
import { failed, type Data, type Failed, type Outcome } from '../vocabulary/outcome.ts'
import type { Reply } from '../vocabulary/wire.ts'
import type { End, Predicate, Rule } from './own-file.ts'

/** More would overflow the ledger's column. */
const MOST_CENTS = 1e12
const LONGEST_MESSAGE = 500
/** The gateway's own reading of these statuses opens circuit breakers and pauses calls. */
const KEPT_STATUSES = [429]

export const isSuccess = (status: number): boolean => status >= 200 && status < 300

/** Whether the gateway reads this status itself, so that no rule can. */
export function isKept(status: number): boolean {
  return KEPT_STATUSES.includes(status) || status >= 500
}

/**
 * The outcome of an answer by the first rule that holds. Under any rules, an answer without content
 * is a miss, an error alone, broken JSON or a web page is a failure, and only a successful status delivers.
 */
export function decideOutcome(rules: readonly Rule[], service: string, reply: Reply): Outcome {
  const rule = firstRule(rules, reply)
  const end = rule?.is ?? rule?.else
  const refuse = (code = rule?.code ?? mapStatusToCode(reply.status)): Failed =>
    failedAs(code, rule, service, reply)
  if (rule === undefined || end === undefined) return refuse()
  if (end === 'failed') return refuse(rule.code ?? codeOf(reply.status))
  if (!isSuccess(reply.status) && end !== 'empty') return refuse()
  const data = toData(reply.body)
  if (end === 'empty') return { kind: 'empty', data }
  if (isUnreadable(reply.body)) return refuse('upstream_error')
  if (isErrorAlone(reply)) return refuse('no_results')
  return isFilled([reply.body]) ? deliver(end, rule, reply, data) : { kind: 'empty', data }
}

/** The rule that decides. Undefined for a status outside 2xx that no rule names. */
export function firstRule(rules: readonly Rule[], reply: Reply): Rule | undefined {
  return rules.find((one) => holds(one, reply))
}

function deliver(
  end: End & ('done' | 'partial'),
  rule: Rule,
  { body }: Reply,
  data: Data,
): Outcome {
  const actual = rule.actual_cents_at
  if (actual !== undefined) {
    const charge = readCents(readPointer(body, actual))
    // Without a figure the price is the cap, which the caller agreed to.
    return charge === undefined ? { kind: end, data } : { kind: end, data, actual: charge }
  }
  if (rule.units === undefined) return { kind: end, data }
  const units = countUnits(rule.units, body)
  return units > 0 ? { kind: end, data, units } : { kind: 'empty', data }
}

function countUnits(units: NonNullable<Rule['units']>, body: unknown): number {
  if (typeof units === 'number') return units
  const found = readPointer(body, 'count_at' in units ? units.count_at : units.number_at)
  if ('count_at' in units) return Array.isArray(found) ? countRows(found) : 0
  return typeof found === 'number' && Number.isFinite(found) ? Math.max(0, found) : 0
}

/** Numbers and flags in a list are rows, too; blank rows are not. */
function countRows(rows: readonly unknown[]): number {
  return filledRows(rows.map((row) => [row])).length
}

/** Rounds up to a micro-dollar. */
function readCents(value: unknown): Micros | undefined {
  const number = typeof value === 'string' && /^\d+(\.\d+)?$/.test(value) ? Number(value) : value
  if (typeof number !== 'number' || !Number.isFinite(number) || number < 0) return undefined
  // Binary fractions such as 0.1 are a little above or below the decimal one.
  return maxMicros(
    0n,
    BigInt(Math.ceil(Number((Math.min(number, MOST_CENTS) * 10_000).toFixed(4)))),
  )
}

function codeOf(status: number): NonNullable<Rule['code']> {
  return isSuccess(status)
    ? 'upstream_error'
    : (mapStatusToCode(status) as NonNullable<Rule['code']>)
}

function failedAs(
  code: Failed['code'],
  rule: Rule | undefined,
  service: string,
  { status, body }: Reply,
): Failed {
  const said = rule?.message_at === undefined ? undefined : readPointer(body, rule.message_at)
  const message =
    typeof said === 'string' && said.trim() !== '' ? said.slice(0, LONGEST_MESSAGE) : null
  return failed(
    code,
    `The service behind "${service}" returned no result for this call. Nothing was charged.`,
    { upstream: { service, status, code: null, message } },
  )
}

/** The HTTP client returns text that is not JSON as it is: JSON that ends early, or the page of a proxy. */
function isUnreadable(body: unknown): boolean {
  return typeof body === 'string' && /^\s*(?:[{[]|<!doctype html|<html)/i.test(body)
}

function toData(body: unknown): Data {
  return isFields(body) ? body : { result: body ?? null }
}

/** `else` holds for successful statuses only: any other status needs a rule that names it. */
function holds({ when }: Rule, reply: Reply): boolean {
  if (!isSuccess(reply.status) && (when === undefined || !namesStatus(when))) return false
  return when === undefined || fits(when, reply)
}

export function namesStatus({ status, all = [], any = [] }: Predicate): boolean {
  return status !== undefined || [...all, ...any].some(namesStatus)
}

function fits(test: Predicate, reply: Reply): boolean {
  if (test.all !== undefined) return test.all.every((one) => fits(one, reply))
  if (test.any !== undefined) return test.any.some((one) => fits(one, reply))
  if (test.status !== undefined)
    return test.status.some((one) => one === reply.status || one === `${String(reply.status)[0]}xx`)
  const value = readPointer(reply.body, test.at ?? '')
  if (test.exists !== undefined) return (value !== undefined) === test.exists
  if (test.blank !== undefined) return !isFilled([value]) === test.blank
  if (test.type !== undefined) return typeOf(value) === test.type
  if (test.at_least !== undefined) return typeof value === 'number' && value >= test.at_least
  if (value === undefined) return false
  return (test.one_of ?? [test.equals]).some((one) => isSame(one, value))
}

function isSame(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || one === null) return one === other
  return typeof other === 'object' && canonicalJson(one) === canonicalJson(other)
}

function typeOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
}
