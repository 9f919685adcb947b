import type { JobTools } from '../../catalog/vocabulary/handlers.ts'
import type { Data, Failed } from '../../catalog/vocabulary/outcome.ts'
import { withoutCharge } from '../../catalog/prices/hop.ts'
import { cents, type Micros } from '../../lib/money.ts'
import { isWebmail } from './identifiers.ts'
import { fill, skippedHop, type Facts, type PersonDraft, type PersonField } from './person-row.ts'
import { readContactfind, readEmailintel } from './supplier-facts.ts'

/** One lookup at one supplier. */
type Lookup = {
  readonly provider: 'contactfind' | 'emailintel'
  readonly action: string
  readonly input: Data
  readonly price: Micros
  readonly facts: (data: Data) => Facts
  /** The lookup cannot return anything. */
  readonly skipped?: 'webmail'
}

/** Lookups in order. Later ones run only while a field of `wanted` is unknown. */
export type Enrichment = {
  readonly lookups: readonly Lookup[]
  readonly wanted: readonly PersonField[]
}

export function planByEmail(email: string): Enrichment {
  return {
    wanted: ['name', 'title', 'company', 'linkedin'],
    lookups: [
      {
        provider: 'contactfind',
        action: 'person-from-email',
        input: { email },
        price: cents('10'),
        facts: readContactfind,
      },
      {
        provider: 'emailintel',
        action: 'enrich',
        input: { email },
        price: cents('4'),
        facts: readEmailintel,
        ...(isWebmail(email) ? { skipped: 'webmail' } : {}),
      },
    ],
  }
}

export function planByProfile(profile: string): Enrichment {
  return {
    wanted: ['name', 'title', 'company', 'email'],
    lookups: [
      {
        provider: 'contactfind',
        action: 'linkedin-contacts',
        input: { profile },
        price: cents('10'),
        facts: readContactfind,
      },
      {
        provider: 'emailintel',
        action: 'linkedin-finder',
        input: { url: profile },
        price: cents('5'),
        facts: readEmailintel,
      },
    ],
  }
}

/** The highest cost of an enrichment, and the cost of its first lookup. */
export function costOf(enrichment: Enrichment): { readonly most: Micros; readonly least: Micros } {
  const useful = usefulLookups(enrichment)
  return {
    most: useful.reduce((sum, { price }) => sum + price, 0n),
    least: useful[0]?.price ?? 0n,
  }
}

/** The ids of its lookups, such as "contactfind/person-from-email". */
export function lookupNames(enrichment: Enrichment): string[] {
  return usefulLookups(enrichment).map(({ provider, action }) => `${provider}/${action}`)
}

function usefulLookups({ lookups }: Enrichment): readonly Lookup[] {
  return lookups.filter(({ skipped }) => skipped === undefined)
}

/** The results of the configured lookups. `failure` is the first one of a supplier that did not answer. */
type Tally = { due: number; answered: number; filled: number; failure: Failed | null }

/**
 * Runs the lookups and fills the row. Sets `draft.enriched` if all suppliers answered, so that a
 * missing email address means that no supplier has one. Returns the first failure of a supplier, or
 * null if all configured ones answered.
 */
export async function enrich(
  tools: JobTools,
  draft: PersonDraft,
  { lookups, wanted }: Enrichment,
): Promise<Failed | null> {
  const tally: Tally = { due: 0, answered: 0, filled: 0, failure: null }
  for (const lookup of lookups) {
    const isFull =
      lookup !== lookups[0] && wanted.every((field) => draft.facts[field] !== undefined)
    if (lookup.skipped !== undefined || isFull)
      draft.hops.push(skippedHop(lookup.provider, lookup.action, lookup.skipped ?? 'not_needed'))
    else if (!(await lookUp(tools, draft, lookup, tally))) break
  }
  const wasAnswered = tally.due > 0 && tally.answered === tally.due
  draft.enriched = wasAnswered || (tally.filled > 0 && draft.facts.email !== undefined)
  return tally.failure?.code === 'upstream_not_configured' && tally.answered > 0
    ? null
    : tally.failure
}

/** Returns false if the job must end. */
async function lookUp(
  tools: JobTools,
  draft: PersonDraft,
  { provider, action, input, facts }: Lookup,
  tally: Tally,
): Promise<boolean> {
  const { hop, outcome } = await tools.invoke(provider, action, input)
  // A supplier that is not configured does not count as a failure.
  if (hop.skipped !== 'not_configured') tally.due += 1
  if (hop.skipped === 'cancelled' || hop.skipped === 'deadline') draft.error = hop.skipped
  if (outcome.kind !== 'failed' || outcome.code === 'no_results') tally.answered += 1
  else if (hop.skipped === undefined || hop.skipped === 'not_configured') tally.failure ??= outcome
  const filled =
    outcome.kind === 'done' || outcome.kind === 'partial'
      ? fill(draft, facts(outcome.data), provider)
      : 0
  tally.filled += filled
  // The gateway pays for a supplier's misses. The caller pays only for filled fields.
  if (filled === 0 && hop.charged_micros > 0) tools.waive(hop)
  draft.hops.push(filled > 0 ? hop : withoutCharge(hop))
  return draft.error === null
}
