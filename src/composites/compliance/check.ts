/** The contract of a check that the gateway does itself. */
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import { AppError } from '../../errors/app-error.ts'
import type { Clock } from '../../lib/clock.ts'
import type { PublicNames } from '../shared/public-names.ts'

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

/** Access to websites. Rejects with AppError for a forbidden URL, and with the network's error if a site does not answer. */
export type SiteProbe = {
  readonly request: (
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

/** Returns the fields of the vendor's reply. The parameters are validated. May throw AppError. */
export type Check = (parameters: Data, tools: CheckTools) => Data | Promise<Data>

/** Longer than any valid parameter. */
const LONGEST_TEXT = 2_000

/** A parameter without surrounding spaces, or an empty text. Throws AppError invalid_params if it is too long. */
export function readText(parameters: Data, name: string, longest = LONGEST_TEXT): string {
  const value = parameters[name]
  const text = typeof value === 'string' ? value.trim() : ''
  if (text.length > longest)
    throw new AppError('invalid_params', `"${name}" must have at most ${longest} characters.`, {
      param: name,
      fix: `Send "${name}" in at most ${longest} characters.`,
    })
  return text
}
