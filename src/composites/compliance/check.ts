/** What a check is, and what its answer carries beside its own fields. */
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import { AppError } from '../../errors/app-error.ts'
import type { Clock } from '../../lib/clock.ts'
import type { PublicNames } from './public-names.ts'

/** Names of the internet. An empty list: there is no such name, or nothing of that kind. Rejects when nobody could tell. */
export type DomainNames = {
  readonly resolve: (domain: string, kind: RecordKind) => Promise<readonly unknown[]>
}
export type RecordKind = 'A' | 'AAAA' | 'MX' | 'NS' | 'TXT' | 'CAA' | 'CNAME'

export type SiteHop = {
  readonly url: string
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly latencyMs: number
}
export type SiteAnswer = { readonly hops: readonly SiteHop[]; readonly text: string }
type Certificate = {
  readonly subject: string
  readonly issuer: string
  readonly validFrom: string
  readonly validTo: string
  readonly names: readonly string[]
  readonly fingerprint: string
}

/** Websites seen from outside. Rejects with AppError for what may not be reached, with the network's error for what does not answer. */
export type SiteProbe = {
  readonly ask: (
    url: string,
    options: {
      readonly method: 'GET' | 'HEAD'
      readonly maxRedirects: number
      readonly timeoutMs: number
      readonly signal: AbortSignal
    },
  ) => Promise<SiteAnswer>
  readonly certificates: (
    host: string,
    port: number,
    signal: AbortSignal,
  ) => Promise<{
    readonly trusted: boolean
    readonly problem: string | null
    readonly protocol: string | null
    readonly chain: readonly Certificate[]
  }>
}

export type CheckTools = {
  readonly names: PublicNames
  readonly site: SiteProbe
  readonly now: Clock
  readonly signal: AbortSignal
}

/** Fields of the vendor's own answer; parameters have passed validation. May throw AppError. */
export type Check = (parameters: Data, tools: CheckTools) => Data | Promise<Data>

/** Longer than what any check can make sense of. */
const LONGEST_TEXT = 2_000

/** A parameter without the spaces around it; empty where there is none. Throws AppError invalid_params for one that is longer than any of its kind. */
export function textOf(parameters: Data, name: string, longest = LONGEST_TEXT): string {
  const value = parameters[name]
  const text = typeof value === 'string' ? value.trim() : ''
  if (text.length > longest)
    throw new AppError('invalid_params', `"${name}" must have at most ${longest} characters.`, {
      param: name,
      fix: `Send "${name}" in at most ${longest} characters.`,
    })
  return text
}
