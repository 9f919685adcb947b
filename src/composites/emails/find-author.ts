import { AppError } from '../../errors/app-error.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Pages } from '../../reader/create-pages.ts'
import { requirePublicDomain } from './require-domain.ts'

export type AuthorDeps = {
  readonly pages: Pick<Pages, 'render2Scrape' | 'mayCrawl'>
  readonly now: Clock
}

/** The author that an article declares, and the domain of its site. */
export type Author = { readonly name: string; readonly title: string; readonly domain: string }

const PAGE_MS = 15_000
/** Names of people have few words. Others are those of a company or a list. */
const PERSON = /^\p{L}[\p{L}'’.-]*(?: \p{L}[\p{L}'’.-]*){1,3}$/u

/** Throws AppError `no_results` if the page cannot be read or declares no person as its author. */
export async function findAuthor(
  { pages, now }: AuthorDeps,
  url: string,
  { accountId, signal }: { readonly accountId: string; readonly signal: AbortSignal },
): Promise<Author> {
  const call = { accountId, signal, timeoutMs: PAGE_MS, now }
  const reply = (await pages.mayCrawl(new URL(url), call))
    ? await pages.render2Scrape({ url, formats: ['plainText'], renderJs: false }, call)
    : null
  if (reply?.success !== true || reply.data.metadata.statusCode >= 400)
    throw new AppError(
      'no_results',
      'The article cannot be read, or robots.txt forbids it. Nothing was charged.',
    )
  const { fields, metadata } = reply.data
  const name = fields?.author?.trim() ?? ''
  if (!PERSON.test(name))
    throw new AppError(
      'no_results',
      'The article names no person as its author in its metadata. Nothing was charged.',
    )
  const host = new URL(metadata.url).hostname.replace(/^(?:www|blog|news|m)\./, '')
  return { name, title: metadata.title, domain: requirePublicDomain(host, 'url') }
}
