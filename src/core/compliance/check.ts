/** What a check is, and what its answer carries beside its own fields. */
import type { Data } from '../../catalog/outcome.ts'
import type { Clock } from '../../lib/clock.ts'

/** Names of the internet. An empty list: there is no such name, or nothing of that kind. Rejects when nobody could tell. */
export type DomainNames = { readonly resolve: (domain: string, kind: RecordKind) => Promise<readonly unknown[]> }
export type RecordKind = 'A' | 'AAAA' | 'MX' | 'NS' | 'TXT' | 'CAA' | 'CNAME'

export type CheckTools = { readonly names: DomainNames; readonly now: Clock }

/** Fields of the vendor's own answer; parameters have passed validation. May throw AppError. */
export type Check = (parameters: Data, tools: CheckTools) => Data | Promise<Data>

export function textOf(parameters: Data, name: string): string {
  const value = parameters[name]
  return typeof value === 'string' ? value.trim() : ''
}
