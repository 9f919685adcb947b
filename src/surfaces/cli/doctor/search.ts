import type { Config } from '../../../app/settings/config.ts'
import { askSearxng } from '../../../app/wiring/in-house/search.ts'
import {
  readEngineNames,
  readEngineReply,
  type EngineFailure,
} from '../../../composites/search/engine-reply.ts'
import {
  CATEGORIES,
  engineListRequest,
  toEngineRequest,
  type EngineQuery,
} from '../../../composites/search/searxng.ts'
import { missing, ok, warning, type Check } from './check.ts'

/** Every engine that answers has pages about it. */
const QUERY: EngineQuery = {
  words: 'wikipedia',
  topic: 'web',
  freshness: null,
  language: null,
  page: 1,
  safeSearch: 1,
}
const FORMATS = 'Set "search: formats: [html, json]" in settings.yml of SearXNG, and restart it.'
const LIMITER =
  'Set "server: limiter: false" and "public_instance: false" in settings.yml of SearXNG, and restart it. Do not use an instance of others.'

/** Searches once and reports the engines that answer and those that do not. */
export async function checkSearch(
  { inHouse: { searxngUrl: url }, userAgent }: Pick<Config, 'inHouse' | 'userAgent'>,
  title: string,
): Promise<Check> {
  if (url === null)
    return missing(
      title,
      'not set up',
      'Set SEARXNG_URL to a SearXNG of your own, such as the one of "docker compose --profile search up -d".',
    )
  const sent = await askSearxng(url, userAgent, toEngineRequest(QUERY))
  const status = sent.ok ? sent.reply.status : sent.failure.details.upstream.status
  if (status === null)
    return missing(title, 'SearXNG does not answer', 'Start SearXNG, or correct SEARXNG_URL.')
  if (status === 403) return missing(title, 'SearXNG rejects JSON', FORMATS)
  if (status === 429) return missing(title, 'SearXNG limits its callers', LIMITER)
  const reply = sent.ok ? readEngineReply(sent.reply.body) : null
  if (reply === null)
    return missing(
      title,
      `SEARXNG_URL answers with status ${status} and no results in JSON`,
      'Set SEARXNG_URL to the address of SearXNG itself, without a sign-in page before it.',
    )
  const list = await askSearxng(url, userAgent, engineListRequest)
  const enabled = list.ok ? readEngineNames(list.reply.body, CATEGORIES.web) : null
  const named = new Set(reply.hits.flatMap(({ engines }) => engines))
  return judge(title, [...named], reply.failures, enabled)
}

function judge(
  title: string,
  answered: readonly string[],
  failures: readonly EngineFailure[],
  enabled: readonly string[] | null,
): Check {
  const failed = failures.map(({ name, reason }) => `${name}: ${reason}`).join('; ')
  const total = enabled === null ? '' : ` of ${enabled.length}`
  const found = `SearXNG answers; general: ${answered.join(', ')} (${answered.length}${total}${failed === '' ? '' : `; ${failed}`})`
  if (answered.length === 0)
    return missing(
      title,
      `no engine of SearXNG answers${failed === '' ? '' : ` (${failed})`}`,
      'Enable other engines in settings.yml of SearXNG, such as bing, mojeek, duckduckgo and wikipedia. Suspended engines return after hours or days.',
    )
  return answered.length === 1
    ? warning(
        title,
        found,
        'Enable more engines in settings.yml of SearXNG: results improve with their agreement.',
      )
    : ok(title, found)
}
