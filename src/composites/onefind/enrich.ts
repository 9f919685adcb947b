import type { JobTools } from '../../catalog/vocabulary/handlers.ts'
import type { Data, Failed } from '../../catalog/vocabulary/outcome.ts'
import { withoutCharge } from '../../catalog/prices/hop.ts'
import { cents, type Micros } from '../../lib/money.ts'
import { isWebmail } from './identifiers.ts'
import { fill, skippedHop, type Facts, type PersonDraft, type PersonField } from './person-row.ts'
import { factsOfContactfind, factsOfEmailintel } from './supplier-facts.ts'

/** One lookup at one supplier. */
type Rung = {
  readonly provider: 'contactfind' | 'emailintel'
  readonly action: string
  readonly input: Data
  readonly price: Micros
  readonly facts: (data: Data) => Facts
  /** A lookup that cannot tell anything. */
  readonly useless?: 'webmail'
}

/** The suppliers in their order. A later one is asked only while one of `wanted` is unknown. */
export type Enrichment = {
  readonly rungs: readonly Rung[]
  readonly wanted: readonly PersonField[]
}

export function byEmail(email: string): Enrichment {
  return {
    wanted: ['name', 'title', 'company', 'linkedin'],
    rungs: [
      {
        provider: 'contactfind',
        action: 'person-from-email',
        input: { email },
        price: cents('10'),
        facts: factsOfContactfind,
      },
      {
        provider: 'emailintel',
        action: 'enrich',
        input: { email },
        price: cents('4'),
        facts: factsOfEmailintel,
        ...(isWebmail(email) ? { useless: 'webmail' } : {}),
      },
    ],
  }
}

export function byProfile(profile: string): Enrichment {
  return {
    wanted: ['name', 'title', 'company', 'email'],
    rungs: [
      {
        provider: 'contactfind',
        action: 'linkedin-contacts',
        input: { profile },
        price: cents('10'),
        facts: factsOfContactfind,
      },
      {
        provider: 'emailintel',
        action: 'linkedin-finder',
        input: { url: profile },
        price: cents('5'),
        facts: factsOfEmailintel,
      },
    ],
  }
}

/** What an enrichment can cost, and what its first lookup does. */
export function costOf(enrichment: Enrichment): { readonly most: Micros; readonly least: Micros } {
  const made = madeOf(enrichment)
  return { most: made.reduce((sum, { price }) => sum + price, 0n), least: made[0]?.price ?? 0n }
}

/** Its lookups, as "service/action". */
export function lookupNames(enrichment: Enrichment): string[] {
  return madeOf(enrichment).map(({ provider, action }) => `${provider}/${action}`)
}

function madeOf({ rungs }: Enrichment): readonly Rung[] {
  return rungs.filter(({ useless }) => useless === undefined)
}

/** What became of the lookups that were due. `failure` is the first of a supplier that did not answer. */
type Tally = { due: number; answered: number; filled: number; failure: Failed | null }

/**
 * Climbs the suppliers and fills the row. `draft.enriched` is set when an absent e-mail address then means that no
 * supplier has one. Returns the failure of a supplier that did not answer, null when all that are set up did.
 */
export async function enrich(
  tools: JobTools,
  draft: PersonDraft,
  { rungs, wanted }: Enrichment,
): Promise<Failed | null> {
  const tally: Tally = { due: 0, answered: 0, filled: 0, failure: null }
  for (const rung of rungs) {
    const isFull = rung !== rungs[0] && wanted.every((field) => draft.facts[field] !== undefined)
    if (rung.useless !== undefined || isFull)
      draft.hops.push(skippedHop(rung.provider, rung.action, rung.useless ?? 'not_needed'))
    else if (!(await lookUp(tools, draft, rung, tally))) break
  }
  const wasAnswered = tally.due > 0 && tally.answered === tally.due
  draft.enriched = wasAnswered || (tally.filled > 0 && draft.facts.email !== undefined)
  return tally.failure?.code === 'upstream_not_configured' && tally.answered > 0
    ? null
    : tally.failure
}

/** False when the job should end. */
async function lookUp(
  tools: JobTools,
  draft: PersonDraft,
  { provider, action, input, facts }: Rung,
  tally: Tally,
): Promise<boolean> {
  const { hop, outcome } = await tools.invoke(provider, action, input)
  // A supplier that this gateway does not have is not one that failed to answer.
  if (hop.skipped !== 'not_configured') tally.due += 1
  if (hop.skipped === 'cancelled' || hop.skipped === 'deadline') draft.error = hop.skipped
  if (outcome.kind !== 'failed' || outcome.code === 'no_results') tally.answered += 1
  else if (hop.skipped === undefined || hop.skipped === 'not_configured') tally.failure ??= outcome
  const filled =
    outcome.kind === 'done' || outcome.kind === 'partial'
      ? fill(draft, facts(outcome.data), provider)
      : 0
  tally.filled += filled
  // A supplier that bills its misses is paid by the gateway; the caller pays for what the row has got.
  if (filled === 0 && hop.charged_micros > 0) tools.waive(hop)
  draft.hops.push(filled > 0 ? hop : withoutCharge(hop))
  return draft.error === null
}
