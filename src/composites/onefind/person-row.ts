import type { Hop, Skip } from '../../catalog/vocabulary/handlers.ts'
import { toCentsRoundedUp } from '../../lib/money.ts'
import type { ActiveCall } from '../shared/active-call.ts'

const PERSON_FIELDS = [
  'name',
  'title',
  'company',
  'location',
  'linkedin',
  'email',
  'phone',
  'domain',
  'industry',
  'headcount',
  'hq',
] as const
export type PersonField = (typeof PERSON_FIELDS)[number]
export type Supplier = 'semantic' | 'contactfind' | 'emailintel' | 'input'

/** What is known of a person; a field that is absent is unknown. */
export type Facts = Partial<Record<PersonField, string>>

/** A call as a row shows it. The last two reasons are the row's own: the call could not have added anything. */
export type RowHop = Omit<Hop, 'skipped'> & { readonly skipped?: Skip | 'webmail' | 'not_needed' }

export type RowError =
  | 'over budget'
  | 'not found'
  | 'lookup failed'
  | 'cancelled'
  | 'deadline'
  | 'a phone number cannot be looked up'
  | 'no person named'
  | 'no person profile'

/** One person of an answer, in the words of the API. */
export type PersonRow = Readonly<Record<PersonField, string | null>> & {
  readonly id: string
  /** What the row came from; in rows mode only. */
  readonly input?: string
  readonly sources: Readonly<Partial<Record<PersonField, Supplier>>>
  readonly enriched: boolean
  readonly hops: readonly RowHop[]
  readonly charged_cents: number
  readonly charged_micros: number
  readonly error?: RowError
}

/** A row in progress. */
export type PersonDraft = {
  readonly id: string
  readonly facts: Facts
  readonly sources: Partial<Record<PersonField, Supplier>>
  readonly hops: RowHop[]
  activeCall: ActiveCall | null
  enriched: boolean
  error: RowError | null
}

export function startDraft(id: string): PersonDraft {
  return { id, facts: {}, sources: {}, hops: [], activeCall: null, enriched: false, error: null }
}

/** Fills what is not known yet and says who told. Returns how many fields were filled. */
export function fill(draft: PersonDraft, facts: Facts, supplier: Supplier): number {
  let filled = 0
  for (const field of PERSON_FIELDS) {
    const value = facts[field]
    if (value === undefined || draft.facts[field] !== undefined) continue
    draft.facts[field] = value
    draft.sources[field] = supplier
    filled += 1
  }
  return filled
}

/** A copy of what is known by now. The charge of a row is the sum of its calls' charges, whatever the kind of row. */
export function rowOf(
  { id, facts, sources, hops, enriched, error }: PersonDraft,
  input?: string,
): PersonRow {
  const fields = Object.fromEntries(
    PERSON_FIELDS.map((field) => [field, facts[field] ?? null]),
  ) as Record<PersonField, string | null>
  const micros = chargeOf(hops)
  return {
    id: facts.linkedin ?? id,
    ...(input === undefined ? {} : { input }),
    ...fields,
    sources: { ...sources },
    enriched,
    hops: [...hops],
    charged_cents: toCentsRoundedUp(micros),
    charged_micros: Number(micros),
    ...(error === null ? {} : { error }),
  }
}

export function chargeOf(hops: readonly RowHop[]): bigint {
  return hops.reduce((sum, { charged_micros: micros }) => sum + BigInt(micros), 0n)
}

/** A call that was not made. */
export function skippedHop(
  provider: string,
  action: string,
  skipped: NonNullable<RowHop['skipped']>,
): RowHop {
  return {
    provider,
    action,
    ok: false,
    charged_cents: 0,
    charged_micros: 0,
    latency_ms: 0,
    skipped,
  }
}

/** One vendor call as a summary shows it. */
export function callOf({ provider, action, ok, latency_ms, skipped }: RowHop) {
  return {
    service: provider,
    action,
    ok,
    latency_ms,
    ...(skipped === undefined ? {} : { skipped }),
  }
}
