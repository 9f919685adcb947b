/** Checks of currencies, packages, domains, days, news and protocols at public sources. */
import { AppError } from '../../errors/app-error.ts'
import { publicSource, anyReply, unreadableReply } from '../shared/open-sources.ts'
import { failed, type Data, type Outcome } from '../../catalog/vocabulary/outcome.ts'
import { asText, field, textField } from '../../catalog/answers/vendor-failure.ts'
import { get, post, type Reply } from '../../catalog/vocabulary/wire.ts'
import { frankfurter, osv } from '../datahub/source.ts'
import { gdelt, isAway } from '../globalnews/source.ts'
import { listIn, nager, rdap, verdict, word } from './registers.ts'

export function rate({ body }: Reply, { from, to, amount = 1 }: Data): Outcome {
  const value = field(field(body, 'rates'), asText(to).toUpperCase())
  if (typeof value !== 'number')
    return failed(
      'no_results',
      'There is no exchange rate between these currencies. Nothing was charged.',
    )
  return verdict({
    from: asText(from).toUpperCase(),
    to: asText(to).toUpperCase(),
    rate: value,
    amount,
    converted: Number((Number(amount) * value).toFixed(6)),
    date: field(body, 'date') ?? null,
    source: 'European Central Bank',
  })
}
export const rates = publicSource(
  frankfurter,
  ({ from, to }) =>
    get('/latest', { base: asText(from).toUpperCase(), symbols: asText(to).toUpperCase() }),
  rate,
)

export const audit = publicSource(
  osv,
  ({ name, package_name: packageName, version, ecosystem = 'npm' }) =>
    post('/query', { package: { name: name ?? packageName, ecosystem }, version }),
  ({ body }) => {
    const vulnerabilities = listIn(body, 'vulns')
    if (vulnerabilities === undefined) return unreadableReply()
    return verdict({
      vulnerable: vulnerabilities.length > 0,
      vulnerability_count: vulnerabilities.length,
      vulnerabilities,
      source: 'OSV',
    })
  },
)

/** The registration of a domain, from the register of its top-level domain. */
export const registration = publicSource(
  rdap,
  ({ domain }) => ({
    ...get(`/domain/${word(domain)}`),
    headers: { accept: 'application/rdap+json' },
    followsRedirects: 'anywhere',
  }),
  ({ body }, { domain }) => {
    const events = field(body, 'events')
    const dated = (action: string) =>
      Array.isArray(events)
        ? (field(
            events.find((event) => field(event, 'eventAction') === action),
            'eventDate',
          ) ?? null)
        : null
    if (textField(body, 'ldhName') === '')
      return failed('no_results', 'The register has no entry for this domain. Nothing was charged.')
    return verdict({
      domain,
      registered_at: dated('registration'),
      expires_at: dated('expiration'),
      changed_at: dated('last changed'),
      status: field(body, 'status') ?? [],
      nameservers: names(field(body, 'nameservers')),
      source: 'RDAP',
    })
  },
)

export function names(list: unknown): unknown[] {
  return Array.isArray(list) ? list.map((item) => field(item, 'ldhName') ?? null) : []
}

export function checkDate({ date }: Data): void {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(asText(date)))
    throw new AppError('invalid_params', '"date" is not a calendar day.', {
      param: 'date',
      fix: 'Send a day such as "2026-12-25".',
    })
}

export const businessDay = publicSource(
  nager,
  ({ date, country_code: country }) => {
    const [year = ''] = asText(date).split('-')
    return {
      ...get(`/PublicHolidays/${year}/${word(country).toUpperCase()}`),
      cacheSeconds: 86_400,
    }
  },
  ({ body }, { date, country_code: country }) => {
    if (!Array.isArray(body))
      return failed('no_results', 'The holidays of this country are unknown. Nothing was charged.')
    if (body.some((row) => textField(row, 'date') === '')) return unreadableReply()
    const holiday: unknown = body.find(
      (row) => field(row, 'date') === date && field(row, 'global') !== false,
    )
    const weekday = new Date(`${asText(date)}T00:00:00Z`).getUTCDay()
    const isWeekend = weekday === 0 || weekday === 6
    return verdict({
      date,
      country_code: country,
      is_business_day: !isWeekend && holiday === undefined,
      is_weekend: isWeekend,
      holiday: field(holiday, 'name') ?? null,
      source: 'Nager.Date',
    })
  },
)

/** Articles and their number, without a verdict. */
export const news = (words: string) =>
  publicSource(
    gdelt,
    ({ name, company_name: company, timespan = '3m', max_articles: most = 25 }) =>
      get('/doc/doc', {
        query: `"${asText(name ?? company).replaceAll('"', ' ')}"${words}`,
        mode: 'artlist',
        format: 'json',
        sort: 'datedesc',
        timespan: asText(timespan),
        maxrecords: Math.min(Number(most), 100),
      }),
    ({ body }) => {
      if (isAway(body)) return unreadableReply()
      if (typeof body === 'string')
        return failed('upstream_rejected', 'The source rejected the query. Nothing was charged.')
      const articles = listIn(body, 'articles')
      if (articles === undefined) return unreadableReply()
      return verdict({
        article_count: articles.length,
        articles,
        source: 'GDELT',
        note: 'Articles that contain the name; not a verdict.',
      })
    },
    [],
    anyReply,
  )

/** The body is the amount as text. */
export function lockedValue({ body }: Reply, { protocol }: Data): Outcome {
  const usd = asText(body).trim() === '' ? Number.NaN : Number(asText(body))
  if (Number.isNaN(usd)) return unreadableReply()
  return usd > 0
    ? verdict({ protocol, tvl_usd: usd, source: 'DefiLlama' })
    : failed('no_results', 'This protocol is unknown. Nothing was charged.')
}
