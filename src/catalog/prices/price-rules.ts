/** The operator's price rules: which one applies to an action, and when. */
import type { Action, Service } from '../vocabulary/action.ts'
import type { PriceTerms } from '../vocabulary/tariff.ts'
import { applyTerms, findTermsFault, serviceWithModels } from './apply-terms.ts'
import { NO_MARGIN, readMargin } from './margin.ts'

/** `match` is "service/action", or ends with "*". */
export type PriceRule = {
  readonly match: string
  readonly terms: PriceTerms
  /** Unix milliseconds; from the beginning without it. */
  readonly fromMs?: number
}

export type PriceRules = {
  readonly rules: readonly PriceRule[]
  /** The margin of everything that no rule matches; null for none. */
  readonly otherwise: PriceTerms | null
}

export const NO_RULES: PriceRules = { rules: [], otherwise: null }

export function matches(pattern: string, name: string): boolean {
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : pattern === name
}

function rank({ match }: PriceRule): number {
  return match.endsWith('*') ? match.length : Number.POSITIVE_INFINITY
}

/** The most specific rule that is in effect; of rules with the same pattern, the latest one. */
export function termsFor(
  { rules, otherwise }: PriceRules,
  name: string,
  nowMs: number,
): PriceTerms | null {
  let best: PriceRule | undefined
  for (const rule of rules) {
    if ((rule.fromMs ?? 0) > nowMs || !matches(rule.match, name)) continue
    const isBetter =
      best === undefined ||
      rank(rule) > rank(best) ||
      (rule.match === best.match && (rule.fromMs ?? 0) > (best.fromMs ?? 0))
    if (isBetter) best = rule
  }
  const terms = best?.terms ?? otherwise
  const isNone =
    terms !== null && !('cents' in terms) && readMargin(terms.margin_percent) === NO_MARGIN
  return isNone ? null : terms
}

/** The next moment at which a rule begins; null if all have begun. */
export function nextChangeMs({ rules }: PriceRules, nowMs: number): number | null {
  const later = rules.flatMap(({ fromMs = 0 }) => (fromMs > nowMs ? [fromMs] : []))
  return later.length === 0 ? null : Math.min(...later)
}

/** The services at the prices of the rules. A wildcard leaves out actions without a price of their own. */
export function priceServices(
  services: readonly Service[],
  rules: PriceRules,
  nowMs: number,
): readonly Service[] {
  if (rules.rules.length === 0 && rules.otherwise === null) return services
  return services.map((service) => {
    const actions = Object.entries(service.actions).map(([name, action]) => {
      const id = `${service.id}/${name}`
      const own = { ...rules, rules: rules.rules.filter(({ match }) => matches(match, id)) }
      const upcoming = upcomingOf(own, id, nowMs).map(({ fromMs, terms }) => ({
        fromMs,
        action: atTerms(action, terms),
      }))
      const priced = atTerms(action, termsFor(own, id, nowMs))
      return [name, upcoming.length === 0 ? priced : { ...priced, upcoming }] as const
    })
    return serviceWithModels({ ...service, actions: Object.fromEntries(actions) })
  })
}

/** The action at these terms instead of its present ones. As recorded if they do not fit. */
export function atTerms<A extends Action>(action: A, terms: PriceTerms | null): A {
  if (action.terms === undefined && terms === null) return action
  const base = (action.unpriced ?? action) as A
  return terms === null || findTermsFault(base, terms) !== null ? base : applyTerms(base, terms)
}

function upcomingOf(rules: PriceRules, name: string, nowMs: number) {
  const moments = rules.rules.flatMap(({ match, fromMs = 0 }) =>
    fromMs > nowMs && matches(match, name) ? [fromMs] : [],
  )
  let before = termsFor(rules, name, nowMs)
  return [...new Set(moments)]
    .toSorted((a, b) => a - b)
    .flatMap((fromMs) => {
      const terms = termsFor(rules, name, fromMs)
      const isChanged = JSON.stringify(terms) !== JSON.stringify(before)
      before = terms
      return isChanged ? [{ fromMs, terms }] : []
    })
}
