/** Rules for the outcome of one action. */
import { reportAt, type Report } from './faults.ts'
import { isKept, isSuccess, namesStatus } from './outcome-rules.ts'
import type { OwnAction, Predicate, Rule } from './own-file.ts'
import { statusesOf } from './to-record.ts'

const TESTS = ['exists', 'equals', 'one_of', 'type', 'blank', 'at_least'] as const

export function checkOutcome({ outcome, price }: OwnAction, report: Report): void {
  for (const [index, rule] of outcome.entries()) {
    const at = reportAt(report, 'outcome', index)
    checkForm(rule, index === outcome.length - 1, at)
    if (rule.when !== undefined) checkPredicate(rule.when, reportAt(at, 'when'))
    checkDelivery(rule, price.kind, at)
    if (
      price.kind === 'unit' &&
      typeof rule.units === 'number' &&
      typeof price.at_most === 'number'
    )
      if (rule.units > price.at_most) at('is above "at_most" of the price', 'units')
  }
}

function checkForm(rule: Rule, isLast: boolean, at: Report): void {
  if (isLast && (rule.else === undefined || rule.when !== undefined || rule.is !== undefined))
    at('must be the rule for every other answer: {"else": "done"}, "empty", "partial" or "failed"')
  if (!isLast && (rule.else !== undefined || rule.when === undefined || rule.is === undefined))
    at('must have "when" and "is": only the last rule is "else"')
  const end = rule.is ?? rule.else
  if (end !== 'failed' && rule.code !== undefined) at('belongs to a rule that is "failed"', 'code')
  if (end !== 'failed' && rule.message_at !== undefined)
    at('belongs to a rule that is "failed"', 'message_at')
}

function checkDelivery(rule: Rule, kind: OwnAction['price']['kind'], at: Report): void {
  const end = rule.is ?? rule.else
  const delivers = end === 'done' || end === 'partial'
  if (rule.units !== undefined && (!delivers || kind !== 'unit'))
    at('belongs to a rule that delivers, at a price per unit', 'units')
  if (rule.actual_cents_at !== undefined && (!delivers || kind !== 'actual'))
    at(
      'belongs to a rule that delivers, at the price "actual" with its cap_cents',
      'actual_cents_at',
    )
  if (delivers && kind === 'unit' && rule.units === undefined)
    at('needs "units", because the price is per unit')
  if (delivers && kind === 'actual' && rule.actual_cents_at === undefined)
    at('needs "actual_cents_at", because the price is what the vendor charges')
  if (end === 'partial' && kind === 'flat')
    at('cannot be "partial", because the price is for the whole call')
  if (rule.when === undefined || !namesStatus(rule.when)) return
  const statuses = statusesOf(rule.when)
  if (delivers && !statuses.some(isSuccess))
    at('delivers nothing: only a status of 2xx can be "done" or "partial"', 'when')
  if (end !== 'failed' && statuses.some(isKept))
    at('must be "failed" for 429 and 5xx, which the gateway reads as a failure of the vendor')
}

function checkPredicate(test: Predicate, at: Report): void {
  const kinds = (['status', 'at', 'all', 'any'] as const).filter((kind) => test[kind] !== undefined)
  const tests = TESTS.filter((name) => Object.hasOwn(test, name))
  if (kinds.length !== 1) return at('must have exactly one of "status", "at", "all" and "any"')
  if (kinds[0] === 'at' && tests.length !== 1)
    return at(
      `must have exactly one of ${TESTS.map((name) => `"${name}"`).join(', ')} next to "at"`,
    )
  if (kinds[0] !== 'at' && tests.length > 0)
    return at('needs "at", the place in the answer', tests[0] ?? '')
  for (const kind of ['all', 'any'] as const)
    for (const [index, inner] of (test[kind] ?? []).entries())
      checkPredicate(inner, reportAt(at, kind, index))
}
