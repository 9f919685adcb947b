import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openEmailBed } from '../../../test/harness/beds/emails.ts'
import { assertFits } from '../../catalog/testing/assert-fits.ts'
import { createSlots } from '../../lib/fairness/fair-slots.ts'
import { cents } from '../../lib/money.ts'
import { createSiteReader } from './read-site-addresses.ts'

const bed = await openEmailBed()
const { pages, requested } = bed

const page = (text: string) =>
  `<!doctype html><html lang="en"><head><title>Acme</title></head><body><main><h1>Acme</h1><p>${'Acme makes ladders of wood and steel for every house. '.repeat(8)}</p><p>${text}</p></main></body></html>`
pages.set(
  'acme.example/',
  page('<a href="/contact">Contact</a> <a href="/team">Team</a> <a href="/shop">Shop</a>'),
)
pages.set(
  'acme.example/contact',
  page('info@acme.example <a href="mailto:sales@acme.example">x</a>'),
)
pages.set('acme.example/team', page('ana.lund@acme.example, info@acme.example, x@other.example'))
pages.set('acme.example/shop', page('shop@acme.example'))

type Found = { email: string; type: string; department: string | null; sources: { uri: string }[] }
type Answer = { data: { emails: Found[] }; meta: { total: number; total_pages: number } }

async function search(body: object): Promise<Answer & { readonly charged: bigint }> {
  const { data, charged } = await bed.run('emailintel/domain-search', body)
  assertFits('emailintel/domain-search', data)
  return { ...(data as unknown as Answer), charged }
}

test('returns the published addresses of a domain with the pages that publish them', async () => {
  const { data, meta, charged } = await search({ domain: 'Acme.example' })
  assert.deepEqual(
    data.emails.map(({ email, type, department, sources }) => [
      email,
      type,
      department,
      ...sources.map(({ uri }) => new URL(uri).pathname),
    ]),
    [
      ['sales@acme.example', 'generic', 'sales', '/contact'],
      ['info@acme.example', 'generic', null, '/contact', '/team'],
      ['ana.lund@acme.example', 'personal', null, '/team'],
    ],
  )
  assert.deepEqual([meta.total, meta.total_pages, charged], [3, 1, cents('4')])
  assert.deepEqual(requested, ['acme.example/', 'acme.example/contact', 'acme.example/team'])
  assert.deepEqual(bed.server.lines, [], 'no address is checked')
})

test('filters by department and type, without reading the site again within an hour', async () => {
  const before = requested.length
  const emailsOf = async (filter: object) =>
    (await search({ domain: 'acme.example', ...filter })).data.emails.map(({ email }) => email)
  assert.deepEqual(await emailsOf({ department: 'sales' }), ['sales@acme.example'])
  assert.deepEqual(await emailsOf({ type: 'personal' }), ['ana.lund@acme.example'])
  assert.deepEqual(await emailsOf({ page: 2 }), [])
  assert.equal(requested.length, before)
  bed.clock.advance(61 * 60_000)
  await emailsOf({})
  assert.ok(requested.length > before)
})

test('scans a domain for the addresses of roles', async () => {
  const { data, charged } = await bed.run('emailasync/domain-scan', {
    domainOrCompany: 'acme.example',
  })
  assertFits('emailasync/domain-scan', data)
  assert.equal(charged, cents('4'))
  const { _id: id } = data['item'] as { _id: string }
  const { data: polled } = await bed.run('emailasync/result', { id })
  assertFits('emailasync/result', polled)
  const [item] = polled['items'] as { status: string; results: { emails: { email: string }[] } }[]
  assert.deepEqual(
    [item?.status, item?.results.emails.map(({ email }) => email)],
    ['FOUND', ['sales@acme.example', 'info@acme.example']],
  )
})

test('charges a search without addresses as the vendor does', async () => {
  pages.set('bare.example/', page('<a href="/contact">Contact</a>'))
  const { data, charged } = await search({ domain: 'bare.example' })
  assert.deepEqual([data.emails, charged], [[], cents('4')])
})

test('charges nothing for a site that cannot or may not be read', async () => {
  const before = await bed.balance()
  const fails = (domain: string) =>
    assert.rejects(bed.run('emailintel/domain-search', { domain }), { code: 'no_results' })
  await fails('gone.example')
  pages.set('robots.example/robots.txt', 'User-agent: *\nDisallow: /')
  pages.set('robots.example/', page('info@robots.example'))
  await fails('robots.example')
  bed.hosts.set('vault.example', '10.0.0.5')
  pages.set('moved.example/', 'http://vault.example/')
  await fails('moved.example')
  await fails('vault.example')
  assert.ok(!requested.includes('robots.example/'))
  assert.deepEqual(await bed.balance(), before)
})

test('reads at most eight pages, and no page that robots.txt forbids', async () => {
  const links = Array.from({ length: 20 }, (_, place) => `<a href="/contact/${place}">x</a>`)
  pages.set('many.example/', page(links.join(' ')))
  pages.set('many.example/robots.txt', 'User-agent: *\nDisallow: /contact/0')
  for (const place of links.keys())
    pages.set(`many.example/contact/${place}`, page(`a${place}@many.example`))
  const { meta } = await search({ domain: 'many.example' })
  const read = requested.filter((one) => one.startsWith('many.example'))
  assert.deepEqual([meta.total, read.length], [6, 7])
  assert.ok(!read.includes('many.example/contact/0'))
})

/** Reads https://acme.example/, which links the page /contact with an address. */
function readerOf(change: {
  readonly pause?: () => void
  readonly redirects?: Readonly<Record<string, string>>
  readonly forbidden?: string
}) {
  return createSiteReader({
    pages: {
      mayCrawl: async ({ href }) => href !== change.forbidden,
      async render2Scrape(input, { signal }) {
        signal.throwIfAborted()
        const sourceURL = String(input['url'])
        const url = change.redirects?.[sourceURL] ?? sourceURL
        return {
          success: true,
          data: {
            rawHtml: url === 'https://acme.example/' ? '' : 'info@acme.example',
            links: ['https://acme.example/contact'],
            metadata: { title: '', url, sourceURL, statusCode: 200, contentType: 'text/html' },
          },
        }
      },
    },
    now: bed.clock,
    pause: async () => change.pause?.(),
    slots: createSlots({ places: 1, waiting: 1, what: 'a site' }),
    readTimes: { pageMs: 8_000, siteMs: 18_000 },
    homePages: (domain) => [`https://${domain}/`],
  })
}
const visit = () => ({ accountId: 'a', signal: new AbortController().signal })

test('does not remember a site whose reading the caller ended', async () => {
  const caller = new AbortController()
  // The caller leaves after the home page.
  const read = readerOf({ pause: () => caller.abort() })
  const half = await read('acme.example', { accountId: 'a', signal: caller.signal })
  assert.deepEqual(half.addresses, [])
  const { addresses } = await read('acme.example', visit())
  assert.deepEqual(
    addresses.map(({ email }) => email),
    ['info@acme.example'],
  )
})

test('reads no page that a redirect leads to and robots.txt forbids', async () => {
  const forbidden = 'https://acme.example/members'
  const redirects = { 'https://acme.example/contact': forbidden }
  assert.deepEqual(
    (await readerOf({ redirects, forbidden })('acme.example', visit())).addresses,
    [],
  )
  assert.equal((await readerOf({ redirects })('acme.example', visit())).addresses.length, 1)
})

test('rejects what only the vendor supports before the hold, by the name of the field', async () => {
  const before = (await bed.transactions()).length
  for (const [action, body, param] of [
    ['emailintel/domain-search', { company: 'Acme' }, 'domain'],
    ['emailintel/domain-search', { domain: 'db.internal' }, 'domain'],
    ['emailintel/domain-search', { domain: 'acme.example', country: 'FR' }, 'country'],
    ['emailasync/domain-scan', { domainOrCompany: 'Acme Ladders' }, 'domainOrCompany'],
  ] as const)
    await assert.rejects(bed.run(action, body), { param }, param)
  assert.equal((await bed.transactions()).length, before)
})
