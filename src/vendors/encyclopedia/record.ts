import { Type } from '../../lib/schema.ts'
import { cents } from '../../lib/money.ts'
import { call, defineService, params } from '../../catalog/vocabulary/define.ts'
import { choice, text, whole } from '../../catalog/vocabulary/fields.ts'
import { done, failed } from '../../catalog/vocabulary/outcome.ts'
import { found } from '../shared/records.ts'
import { flat } from '../../catalog/vocabulary/tariff.ts'
import { wikimediaError } from '../shared/wikimedia-errors.ts'
import { get, noAuth, type Vendor } from '../../catalog/vocabulary/wire.ts'
import { returns } from './returns.ts'

/** Editions with more than a hundred thousand articles, plus Simple English. */
const LANGUAGES = [
  'en',
  'ar',
  'az',
  'be',
  'bg',
  'bn',
  'ca',
  'ce',
  'cs',
  'cy',
  'da',
  'de',
  'el',
  'eo',
  'es',
  'et',
  'eu',
  'fa',
  'fi',
  'fr',
  'gl',
  'he',
  'hi',
  'hr',
  'hu',
  'hy',
  'id',
  'it',
  'ja',
  'ka',
  'kk',
  'ko',
  'la',
  'lt',
  'lv',
  'mk',
  'ms',
  'my',
  'nl',
  'nn',
  'no',
  'pl',
  'pt',
  'ro',
  'ru',
  'sh',
  'simple',
  'sk',
  'sl',
  'sr',
  'sv',
  'ta',
  'th',
  'tr',
  'uk',
  'ur',
  'uz',
  'vi',
  'zh',
] as const

const wikipedia: Vendor = {
  baseUrl: 'https://en.wikipedia.org',
  origins: Object.fromEntries(
    LANGUAGES.map((language) => [language, `https://${language}.wikipedia.org`]),
  ),
  auth: noAuth,
  limits: { concurrent: 1 },
  docsUrl: 'https://www.mediawiki.org/wiki/API:REST_API',
}

const lang = choice('Language of the edition.', [...LANGUAGES], { default: 'en' })
const shared = {
  price: flat(cents('1')),
  priceSource: 'Own price; the source is free, 2026-11.',
  timeoutMs: 20_000,
  untrustedContent: true,
}
const Page = Type.Object({ title: Type.String(), pageid: Type.Optional(Type.Integer()) })

export const service = defineService({
  id: 'encyclopedia',
  title: 'Wikipedia',
  category: 'public records',
  vendor: wikipedia,
  returns,
  actions: {
    search: call({
      ...shared,
      title: 'Search Wikipedia',
      summary: 'Find Wikipedia articles.',
      keywords: ['wiki', 'encyclopaedia', 'reference', 'facts'],
      input: params({
        q: text('Words to search for.', 300),
        lang,
        limit: whole('Maximum number of articles.', 1, 100, { default: 10 }),
      }),
      example: { q: 'double-entry bookkeeping', limit: 3 },
      request: ({ q, lang: origin, limit }) => ({
        ...get('/w/rest.php/v1/search/page', { q, limit }),
        origin,
      }),
      reply: Type.Object({ pages: Type.Array(Type.Unknown()) }),
      outcome: ({ body }) => found(body, body.pages),
    }),
    page: call({
      ...shared,
      title: 'Wikipedia article',
      summary: 'Read a Wikipedia article as plain text.',
      keywords: ['wiki article', 'encyclopedia entry', 'summary of a topic'],
      input: params({
        title: text('Title of the article. Redirects are followed.', 255, { pattern: '^[^|]+$' }),
        lang,
      }),
      example: { title: 'Double-entry bookkeeping' },
      request: ({ title, lang: origin }) => ({
        ...get('/w/api.php', {
          action: 'query',
          prop: 'extracts|info|pageprops',
          explaintext: 1,
          redirects: 1,
          inprop: 'url',
          titles: title,
          format: 'json',
          formatversion: 2,
        }),
        origin,
      }),
      reply: Type.Object({
        query: Type.Optional(Type.Object({ pages: Type.Optional(Type.Array(Page)) })),
        error: Type.Optional(Type.Unknown()),
      }),
      outcome: ({ body }, { title }) => {
        const page = body.query?.pages?.[0]
        // Only articles have a page number: invalid titles, special pages and pages of other wikis
        // lack one.
        const missing =
          page?.pageid === undefined
            ? failed('upstream_not_found', `No article is named "${title}".`)
            : done(page)
        return wikimediaError(body, 'encyclopedia') ?? missing
      },
    }),
  },
})
