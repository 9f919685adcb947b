import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openEmailBed } from '../../../test/harness/beds/emails.ts'
import { assertFits } from '../../catalog/testing/assert-fits.ts'
import { cents } from '../../lib/money.ts'

const bed = await openEmailBed()
const { zone, pages, server } = bed
for (const domain of ['acme', 'all', 'shy', 'named', 'gmail'])
  zone.set(`MX ${domain}.example`, [{ exchange: `mx.${domain}.example`, priority: 1 }])
const KNOWN = new Set(['alund@acme.example', 'ben.ek@named.example'])
server.behave({
  rcpt(email) {
    if (KNOWN.has(email) || email.endsWith('@all.example')) return '250 ok'
    return email.endsWith('@shy.example') ? '451 later' : '550 5.1.1 no such user'
  },
})

const page = (head: string, text: string) =>
  `<!doctype html><html lang="en"><head><title>Ladders</title>${head}</head><body><main><article><h1>Ladders</h1><p>${'Acme makes ladders of wood and steel for every house. '.repeat(8)}</p><p>${text}</p></article></main></body></html>`
pages.set('named.example/', page('', 'ben.ek@named.example, cay.oh@named.example'))
pages.set('all.example/', page('', 'dora.ng@all.example'))

type Person = {
  email: string | null
  verification?: { status: string }
  sources: { uri: string }[]
}
const named = () => server.lines.flatMap((line) => /^RCPT TO:<(.*)>$/.exec(line)?.[1] ?? [])

async function find(domain: string, fullName: string) {
  server.lines.length = 0
  const { data, charged } = await bed.run('emailintel/email-finder', {
    domain,
    full_name: fullName,
  })
  assertFits('emailintel/email-finder', data)
  return { person: data['data'] as Person, unchecked: data['unchecked'], charged }
}

test('returns an address that the server accepts while it rejects others', async () => {
  const { person, charged } = await find('acme.example', 'Ana Lund')
  assert.deepEqual(
    [person.email, person.verification?.status, person.sources, charged],
    ['alund@acme.example', 'valid', [], cents('4')],
  )
  assert.deepEqual(named().slice(0, 2), ['ana.lund@acme.example', 'alund@acme.example'])
})

test('guesses at most four addresses, and charges a miss as the vendor does', async () => {
  const { person, unchecked, charged } = await find('acme.example', 'Zoe Quist')
  assert.deepEqual([person.email, unchecked, charged], [null, undefined, cents('4')])
  assert.equal(named().length, 4)
})

test('returns a published address with its pages, and guesses none then', async () => {
  const ben = await find('named.example', 'Ben Ek')
  assert.deepEqual(
    [ben.person.email, ben.person.verification?.status, ben.person.sources.length],
    ['ben.ek@named.example', 'valid', 1],
  )
  const dora = await find('all.example', 'Dora Ng')
  assert.deepEqual(
    [dora.person.email, dora.person.verification?.status, dora.charged],
    ['dora.ng@all.example', 'accept_all', cents('4')],
  )
  // The site still names it, and the server knows it no longer.
  const cay = await find('named.example', 'Cay Oh')
  assert.deepEqual([cay.person.email, named().length], [null, 1])
})

test('charges nothing where no guess can be confirmed', async () => {
  for (const domain of ['all.example', 'shy.example']) {
    const { person, unchecked, charged } = await find(domain, 'Ana Lund')
    assert.deepEqual([person.email, typeof unchecked, charged], [null, 'string', 0n], domain)
    assert.ok(named().length <= 2, domain)
  }
  const before = await bed.balance()
  for (const [domain, full_name] of [
    ['gmail.com', 'Ana Lund'],
    ['acme.example', '李明'],
  ])
    await assert.rejects(bed.run('emailintel/email-finder', { domain, full_name }), {
      code: 'no_results',
    })
  await assert.rejects(bed.run('emailintel/email-finder', { company: 'Acme', full_name: 'A B' }), {
    param: 'domain',
  })
  assert.deepEqual(await bed.balance(), before)
})

test('searches for a person in the shape of emailasync', async () => {
  const search = async (domainOrCompany: string, firstname: string, lastname: string) => {
    const launched = await bed.run('emailasync/email-search', {
      domainOrCompany,
      firstname,
      lastname,
    })
    assertFits('emailasync/email-search', launched.data)
    const { _id: id } = launched.data['item'] as { _id: string }
    const { data } = await bed.run('emailasync/result', { id })
    assertFits('emailasync/result', data)
    const [item] = data['items'] as {
      status: string
      results: { emails: { email: string; certainty: string }[] }
    }[]
    const [first] = item?.results.emails ?? []
    return [item?.status, first?.email, first?.certainty, launched.charged]
  }
  assert.deepEqual(await search('acme.example', 'Ana', 'Lund'), [
    'FOUND',
    'alund@acme.example',
    'ultra_sure',
    cents('4'),
  ])
  assert.deepEqual(await search('acme.example', 'Zoe', 'Quist'), [
    'NOT_FOUND',
    undefined,
    undefined,
    cents('4'),
  ])
  assert.deepEqual(await search('shy.example', 'Ana', 'Lund'), [
    'ABORTED',
    undefined,
    undefined,
    0n,
  ])
})

test('finds the address of the author that an article declares', async () => {
  const article = (author: string) =>
    page(`<meta name="author" content="${author}">`, 'Ladders lean.')
  pages.set('www.acme.example/blog/ladders', article('Ana Lund'))
  const ask = (path: string) =>
    bed.run('emailintel/author-finder', { url: bed.urlOf(`www.acme.example${path}`) })
  const { data, charged } = await ask('/blog/ladders')
  assertFits('emailintel/author-finder', data)
  assert.deepEqual([(data['data'] as Person).email, charged], ['alund@acme.example', cents('4')])
  pages.set('www.acme.example/blog/staff', article('Acme Editorial Team of the North Ladders'))
  pages.set('www.acme.example/blog/none', page('', 'Ladders lean.'))
  for (const path of ['/blog/staff', '/blog/none', '/blog/missing'])
    await assert.rejects(ask(path), { code: 'no_results' }, path)
})
