import { Type } from '../../lib/schema.ts'
import { AppError } from '../../errors/app-error.ts'
import { cents } from '../../lib/money.ts'
import { call, defineService, params } from '../../catalog/vocabulary/define.ts'
import { optional, text } from '../../catalog/vocabulary/fields.ts'
import { tempoMerchant } from '../../catalog/vocabulary/merchant.ts'
import { referenceRows, unreadableReply } from '../shared/open-sources.ts'
import { failed, type Data } from '../../catalog/vocabulary/outcome.ts'
import { found, foundInOpenSource, keyedMerchant, merchantPrice } from '../shared/records.ts'
import { asText, field, messageFrom } from '../../catalog/answers/vendor-failure.ts'
import { get, noAuth, post, type Vendor } from '../../catalog/vocabulary/wire.ts'
import { elementText, xmlText } from '../shared/xml-text.ts'
import { returns } from './returns.ts'

const govLaws = keyedMerchant('https://govlaws.ai/api/mpp', 'https://govlaws.ai/docs')

const ecfr: Vendor = {
  label: 'ecfr',
  baseUrl: 'https://www.ecfr.gov',
  auth: noAuth,
  limits: { perSecond: 5 },
  docsUrl: 'https://www.ecfr.gov/developers/documentation/api/v1',
  readFailure: messageFrom('error', 'message'),
}

type Cfr = { title: string; part: string; section: string | undefined }

/**
 * Parses "12 CFR 1026.43", "12 CFR § 1026.43" or "12 CFR part 1026". Throws AppError for a citation
 * of other laws.
 */
function parseCfr(citation: string): Cfr {
  const match =
    /^\s*(\d{1,2})\s*C\.?\s?F\.?\s?R\.?\s*(?:§{1,2}|part|section)?\s*(\d{1,5})(?:\.(\d{1,5}[A-Za-z0-9-]{0,10}))?/i.exec(
      citation,
    )
  const [, title, part, section] = match ?? []
  if (title === undefined || part === undefined) {
    throw new AppError(
      'upstream_not_configured',
      'Without its vendor this gateway resolves only citations of the Code of Federal Regulations. Nothing was charged.',
      { fix: 'Send a citation such as "12 CFR 1026.43".' },
    )
  }
  return { title, part, section: section === undefined ? undefined : `${part}.${section}` }
}

function slugOf(agency: string): string {
  return agency
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
}

/** Converts a row of the public search to the vendor's form. */
function toResult(row: unknown): Data {
  const hierarchy = field(row, 'hierarchy')
  const headings = field(row, 'headings')
  const [title, part, section] = ['title', 'part', 'section'].map((name) => field(hierarchy, name))
  const plain = (html: unknown) => (typeof html === 'string' ? xmlText(html) : null)
  return {
    citation: `${asText(title)} CFR ${typeof section === 'string' ? section : `part ${asText(part)}`}`,
    title: plain(field(headings, 'section') ?? field(headings, 'part')),
    score: field(row, 'score') ?? null,
    snippet: plain(field(row, 'full_text_excerpt')),
    url:
      typeof section === 'string'
        ? `https://www.ecfr.gov/current/title-${asText(title)}/section-${section}`
        : `https://www.ecfr.gov/current/title-${asText(title)}/part-${asText(part)}`,
  }
}

const ecfrRow = Type.Object({
  hierarchy: Type.Object({ title: Type.String() }),
  ends_on: Type.Optional(Type.Unknown()),
})
const paid = { at: tempoMerchant(govLaws.baseUrl) }
const shared = { priceSource: 'Cap: the merchant’s listed price, 2026-08.', timeoutMs: 30_000 }

export const service = defineService({
  id: 'regs',
  title: 'Federal regulations',
  category: 'public records',
  vendor: govLaws,
  returns,
  actions: {
    search: call({
      ...shared,
      title: 'Search US regulations',
      summary: 'Search US federal regulations by words and agency.',
      keywords: ['cfr', 'code of federal regulations', 'compliance rule', 'law'],
      input: params({
        query: text('The subject of the rule.', 500),
        agency: optional(
          text('Name or slug of the agency, such as "Environmental Protection Agency".', 200),
        ),
      }),
      example: { query: 'ability to repay mortgage' },
      price: merchantPrice(cents('3')),
      merchant: paid,
      // The vendor has no parameter for the agency. Its name is added to the words, which are
      // matched by meaning.
      request: ({ query, agency }) =>
        post('/search', {
          query: agency === undefined ? query : `${query} (${agency})`,
          agency,
          limit: 20,
        }),
      reply: Type.Object({ results: Type.Array(Type.Unknown()) }),
      outcome: ({ body }) => found(body, body.results),
      openSource: {
        vendor: ecfr,
        request: ({ query, agency }) =>
          get('/api/search/v1/results', {
            query,
            'agency_slugs[]': agency === undefined ? undefined : slugOf(agency),
            per_page: 20,
            page: 1,
            order: 'relevance',
          }),
        reply: Type.Object({ results: Type.Array(ecfrRow), meta: Type.Optional(Type.Unknown()) }),
        outcome: ({ body }, { query }) => {
          const results = body.results
            .filter(({ ends_on: end }) => end === null || end === undefined)
            .map(toResult)
          return foundInOpenSource(
            {
              results,
              query,
              corpus: 'regulations',
              total: field(body.meta, 'total_count') ?? results.length,
              provenance: { is_official_edition: false },
            },
            results,
          )
        },
      },
    }),
    resolve: call({
      ...shared,
      title: 'Text of a legal citation',
      summary: 'Read the text of a legal citation, such as "12 CFR 1026.43".',
      keywords: ['cfr section', 'us code', 'statute text', 'legal citation'],
      input: params({ citation: text('Citation of the CFR or the U.S. Code.', 200) }),
      example: { citation: '12 CFR 1026.43' },
      price: merchantPrice(cents('5')),
      merchant: paid,
      request: (input) => get('/resolve', input),
      reply: Type.Object({ citation: Type.String(), text: Type.String() }),
      outcome: ({ body }) => found(body, [body.text]),
      openSource: {
        vendor: ecfr,
        check: ({ citation }) => void parseCfr(citation),
        // The text must be requested as of a day, so this request finds the last complete day of
        // the title.
        request: () => ({ ...get('/api/versioner/v1/titles.json'), cacheSeconds: 86_400 }),
        followUps: [
          ({ body }, { citation }) => {
            const { title, part, section } = parseCfr(citation)
            const named = referenceRows(field(body, 'titles')).find(
              (listed) => asText(field(listed, 'number')) === title,
            )
            const date = field(named, 'up_to_date_as_of')
            if (typeof date !== 'string')
              throw new AppError('upstream_not_found', `The CFR has no title ${title}.`)
            return {
              ...get(`/api/versioner/v1/full/${date}/title-${title}.xml`, { part, section }),
              headers: { accept: 'application/xml' },
              followsRedirects: true,
            }
          },
        ],
        reply: Type.String(),
        outcome: ({ body, path = '' }, { citation }) => {
          if (/<html/i.test(body)) return unreadableReply()
          const content = xmlText(body)
          if (content === '') return failed('upstream_not_found', `"${citation}" has no text.`)
          const { title, part, section } = parseCfr(citation)
          const upToDate = /\/full\/([0-9-]{10})\//.exec(path)?.[1] ?? null
          const url = `https://www.ecfr.gov/current/title-${title}/${section === undefined ? `part-${part}` : `section-${section}`}`
          return foundInOpenSource(
            {
              citation,
              title: elementText(body, 'HEAD') ?? null,
              text: content,
              agency: null,
              source: { system: 'ecfr', url },
              freshness: { up_to_date_as_of: upToDate },
              provenance: { is_official_edition: false, ecfr_url: url },
            },
            [content],
          )
        },
      },
    }),
  },
})
