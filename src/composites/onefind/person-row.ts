import type { Hop, Skip } from '../../catalog/vocabulary/handlers.ts'
import { toCentsRoundedUp } from '../../lib/money.ts'
import type { ActiveCall } from '../shared/active-call.ts'

export const PERSON_FIELDS = [
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

/** The known fields of a person. */
export type Facts = Partial<Record<PersonField, string>>

/** A call in a row. `webmail` and `not_needed` mean that the call could not have added anything. */
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

/** One person of an answer, with the field names of the API. */
export type PersonRow = Readonly<Record<PersonField, string | null>> & {
  readonly id: string
  /** The text of the caller's row. */
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

export function createDraft(id: string): PersonDraft {
  return { id, facts: {}, sources: {}, hops: [], activeCall: null, enriched: false, error: null }
}

/** Fills unknown fields and notes their source. Returns the number of filled fields. */
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

/** Copies the current state into a row. The charge of a row is the sum of its calls' charges. */
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

/** The hop of a skipped call. */
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

/** One vendor call in the summary of an answer. */
export function callOf({ provider, action, ok, latency_ms, skipped }: RowHop) {
  return {
    service: provider,
    action,
    ok,
    latency_ms,
    ...(skipped === undefined ? {} : { skipped }),
  }
}
