import type { JobTools } from '../../catalog/vocabulary/handlers.ts'
import { withoutCharge } from '../../catalog/prices/hop.ts'
import { cents } from '../../lib/money.ts'
import { byEmail, byProfile, costOf, enrich, lookupNames } from './enrich.ts'
import { findPeople, PEOPLE_SEARCH } from './find-people.ts'
import { domainOf, identifierIn, isWebmail } from './identifiers.ts'
import { HITS_FOR_ONE, matchPerson } from './match-person.ts'
import { personInRow, type NamedPerson } from './person-query.ts'
import { fill, startDraft, type PersonDraft, type RowError } from './person-row.ts'

/** The search that turns a name into a profile. */
const SEARCH_PRICE = cents('1')

/** What a row asks for. `key` is the same for every spelling of the same thing. */
export type RowPlan =
  | { readonly kind: 'email'; readonly key: string; readonly email: string }
  | { readonly kind: 'profile'; readonly key: string; readonly profile: string }
  | { readonly kind: 'name'; readonly key: string; readonly person: NamedPerson }
  | { readonly kind: 'unusable'; readonly key: string; readonly error: RowError }

export function planRow(text: string): RowPlan {
  const found = identifierIn(text)
  if (found?.kind === 'email') return { kind: 'email', key: found.value, email: found.value }
  if (found?.kind === 'phone')
    return { kind: 'unusable', key: text, error: 'a phone number cannot be looked up' }
  if (found?.kind === 'linkedin') {
    return found.profile === null
      ? { kind: 'unusable', key: text, error: 'no person profile' }
      : { kind: 'profile', key: found.profile, profile: found.profile }
  }
  const person = personInRow(text)
  if (person === null) return { kind: 'unusable', key: text, error: 'no person named' }
  return { kind: 'name', key: `${person.name}\n${person.company}`.toLowerCase(), person }
}

export function costOfPlan(plan: RowPlan) {
  if (plan.kind === 'email') return costOf(byEmail(plan.email))
  if (plan.kind === 'profile') return costOf(byProfile(plan.profile))
  return plan.kind === 'name'
    ? { most: SEARCH_PRICE + costOf(byProfile('')).most, least: SEARCH_PRICE }
    : { most: 0n, least: 0n }
}

/** The lookups of which at least one must be made for this row to become known, as "service/action". */
export function lookupsOf(plan: RowPlan): readonly string[] {
  if (plan.kind === 'unusable') return []
  if (plan.kind === 'name') return [PEOPLE_SEARCH]
  return lookupNames(plan.kind === 'email' ? byEmail(plan.email) : byProfile(plan.profile))
}

/** What the input itself tells. */
export function draftFor(plan: RowPlan, text: string): PersonDraft {
  const draft = startDraft(text)
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

/** Carries a row out, in the order that its kind has. Returns the failure of a supplier that did not answer. */
export async function resolveRow(tools: JobTools, draft: PersonDraft, plan: RowPlan) {
  if (plan.kind === 'unusable') return null
  if (plan.kind === 'email') return enrich(tools, draft, byEmail(plan.email))
  if (plan.kind === 'profile') return enrich(tools, draft, byProfile(plan.profile))
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
    : enrich(tools, draft, byProfile(match.facts.linkedin))
}
