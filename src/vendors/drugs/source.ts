/** openFDA, shared with the records of other vendors. */
import { messageFrom } from '../../catalog/answers/vendor-failure.ts'
import type { Vendor } from '../../catalog/vocabulary/wire.ts'

export const openFda: Vendor = {
  label: 'openfda',
  baseUrl: 'https://api.fda.gov',
  auth: { in: 'query', name: 'api_key', credential: 'KEY', optional: true },
  limits: { perSecond: 4, perDay: 1_000 },
  limitsWithKey: { perSecond: 4, perDay: 120_000 },
  docsUrl: 'https://open.fda.gov/apis/',
  readFailure: messageFrom('error.message'),
}

/** Quotes text as a phrase for openFDA queries. */
export function fdaPhrase(words: string): string {
  return `"${words.replaceAll(/["\\]/g, ' ').trim()}"`
}

export const FDA_NO_MATCH = [404] as const
