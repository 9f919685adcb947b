/** A found address in the shapes of two vendors. */
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import { sourcesOf } from './domain-search.ts'
import type { FoundAddress } from './find-address.ts'
import { toEmailasyncResult, verdictOf } from './verdicts.ts'

/** The reply of emailintel/email-finder and author-finder. `email` is null if none was found. */
export function toPersonReply(
  found: FoundAddress,
  {
    name,
    domain,
    nowMs,
  }: { readonly name: string; readonly domain: string; readonly nowMs: number },
): Data {
  const { report, published, readMs, unchecked } = found
  const words = name.trim().split(/\s+/)
  const [first = '', ...rest] = words
  return {
    data: {
      email: report?.email ?? null,
      first_name: first,
      last_name: rest.at(-1) ?? null,
      full_name: words.join(' '),
      website_url: domain,
      ...(report === null
        ? {}
        : {
            disposable: false,
            webmail: false,
            verification: {
              date: new Date(nowMs).toISOString().slice(0, 10),
              status: verdictOf(report),
            },
          }),
      sources: published === null ? [] : sourcesOf(published, readMs),
    },
    ...(unchecked === undefined ? {} : { unchecked }),
  }
}

/** The status and results of an emailasync search for a person. */
export function toEmailSearch({ report, published, unchecked }: FoundAddress, name: string): Data {
  if (report === null)
    return {
      status: unchecked === undefined ? 'NOT_FOUND' : 'ABORTED',
      results: { fullname: name, emails: [] },
    }
  const { emails } = toEmailasyncResult(report)
  // A published address that the server does not confirm is still published.
  const shown =
    emails.length > 0 || published === null
      ? emails
      : [{ email: published.email, certainty: 'probable' }]
  return { status: 'FOUND', results: { fullname: name, emails: shown } }
}
