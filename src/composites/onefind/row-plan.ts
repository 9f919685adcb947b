import type { JobTools } from '../../catalog/vocabulary/handlers.ts'
import { withoutCharge } from '../../catalog/prices/hop.ts'
import { cents } from '../../lib/money.ts'
import { planByEmail, planByProfile, costOf, enrich, lookupNames } from './enrich.ts'
import { findPeople, PEOPLE_SEARCH } from './find-people.ts'
import { domainOf, parseIdentifier, isWebmail } from './identifiers.ts'
import { HITS_FOR_ONE, matchPerson } from './match-person.ts'
import { parsePersonRow, type NamedPerson } from './person-query.ts'
import { fill, createDraft, type PersonDraft, type RowError } from './person-row.ts'

/** The price of the search that finds the profile for a name. */
const SEARCH_PRICE = cents('1')

/** The lookup for a row. Spellings of the same person have the same `key`. */
export type RowPlan =
  | { readonly kind: 'email'; readonly key: string; readonly email: string }
  | { readonly kind: 'profile'; readonly key: string; readonly profile: string }
  | { readonly kind: 'name'; readonly key: string; readonly person: NamedPerson }
  | { readonly kind: 'unusable'; readonly key: string; readonly error: RowError }

export function planRow(text: string): RowPlan {
  const found = parseIdentifier(text)
  if (found?.kind === 'email') return { kind: 'email', key: found.value, email: found.value }
  if (found?.kind === 'phone')
    return { kind: 'unusable', key: text, error: 'a phone number cannot be looked up' }
  if (found?.kind === 'linkedin') {
    return found.profile === null
      ? { kind: 'unusable', key: text, error: 'no person profile' }
      : { kind: 'profile', key: found.profile, profile: found.profile }
  }
  const person = parsePersonRow(text)
  if (person === null) return { kind: 'unusable', key: text, error: 'no person named' }
  return { kind: 'name', key: `${person.name}\n${person.company}`.toLowerCase(), person }
}

export function costOfPlan(plan: RowPlan) {
  if (plan.kind === 'email') return costOf(planByEmail(plan.email))
  if (plan.kind === 'profile') return costOf(planByProfile(plan.profile))
  return plan.kind === 'name'
    ? { most: SEARCH_PRICE + costOf(planByProfile('')).most, least: SEARCH_PRICE }
    : { most: 0n, least: 0n }
}

/** The ids of the lookups that can resolve this row. At least one must be live. */
export function lookupsOf(plan: RowPlan): readonly string[] {
  if (plan.kind === 'unusable') return []
  if (plan.kind === 'name') return [PEOPLE_SEARCH]
  return lookupNames(plan.kind === 'email' ? planByEmail(plan.email) : planByProfile(plan.profile))
}

/** Starts a row with the facts of its input. */
export function createDraftFor(plan: RowPlan, text: string): PersonDraft {
  const draft = createDraft(text)
  if (plan.kind === 'email')
    fill(
      draft,
      { email: plan.email, ...(isWebmail(plan.email) ? {} : { domain: domainOf(plan.email) }) },
      'input',
    )
  if (plan.kind === 'profile') fill(draft, { linkedin: plan.profile }, 'input')
  if (plan.kind === 'unusable') draft.error = plan.error
  return draft
}

/** Runs the lookups of a row. Returns the first failure of a supplier. */
export async function resolveRow(tools: JobTools, draft: PersonDraft, plan: RowPlan) {
  if (plan.kind === 'unusable') return null
  if (plan.kind === 'email') return enrich(tools, draft, planByEmail(plan.email))
  if (plan.kind === 'profile') return enrich(tools, draft, planByProfile(plan.profile))
  const { hop, found, failure } = await findPeople(
    tools,
    `${plan.person.name}, ${plan.person.company}`,
    HITS_FOR_ONE,
  )
  const match = matchPerson(plan.person, found)
  if (match === null) {
    if (hop.charged_micros > 0) tools.waive(hop)
    draft.hops.push(withoutCharge(hop))
    if (hop.skipped === 'cancelled' || hop.skipped === 'deadline') draft.error = hop.skipped
    fill(draft, plan.person, 'input')
    return failure === null || failure.code === 'no_results' ? null : failure
  }
  draft.hops.push(hop)
  fill(draft, match.facts, 'semantic')
  fill(draft, plan.person, 'input')
  return match.facts.linkedin === undefined
    ? null
    : enrich(tools, draft, planByProfile(match.facts.linkedin))
}
