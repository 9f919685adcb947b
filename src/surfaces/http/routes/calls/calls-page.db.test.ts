import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import type { LightMyRequestResponse } from 'fastify'
import { openAppBed } from '../../../../../test/harness/beds/app.ts'
import { cookieOf, sendForm } from '../../../../../test/harness/clients/forms.ts'

const bed = await openAppBed()
const SEARCH = '/api/run/semantic/search'
const FOUND = { requestId: 'r', results: [{ id: 'https://a.example/', url: 'https://a.example/' }] }

beforeEach(() => bed.vendor.answerWith(() => ({ body: FOUND })))

const signIn = async (key: string): Promise<string> =>
  cookieOf(await sendForm(bed.app, { url: '/balance/sign-in', fields: { key } }))
const holder = await signIn(bed.liveKey)
const open = (url: string, cookie = holder): Promise<LightMyRequestResponse> =>
  bed.app.inject({ url, headers: { cookie } })
const send = (body: unknown, key = bed.liveKey) =>
  bed.post(SEARCH, body, { authorization: `Bearer ${key}` })
const idOf = (response: LightMyRequestResponse): string => String(response.headers['x-request-id'])
const rowOf = ({ body }: LightMyRequestResponse, id: string): string =>
  body.slice(body.indexOf(`id="${id}"`)).split('</tr>')[0] ?? ''
const idsIn = ({ body }: LightMyRequestResponse): readonly string[] =>
  [...body.matchAll(/<tr role="row" id="(req_\w+)"/g)].map(([, id]) => id ?? '')

describe('the page of calls', () => {
  test('is empty at first and links to the first call', async () => {
    const { body } = await open('/calls', await signIn(bed.strangerKey))
    assert.match(body, /No calls yet\.[^]*Get started/)
  })

  test('shows a charged and a rejected call, HTTP status and charge apart', async () => {
    const [paid, rejected] = [await send({ query: 'a' }), await send({ query: 'a', nonsense: 1 })]
    const page = await open('/calls')
    assert.match(rowOf(page, idOf(paid)), />200<[^]*>Charged<[^]*¢/)
    assert.match(
      rowOf(page, idOf(rejected)),
      /class="http failed">400<\/span> <code>invalid_params<[^]*>Not charged<[^]*>free</,
    )
    assert.ok(rowOf(page, idOf(paid)).includes(`href="/calls/${idOf(paid)}"`))
  })

  test('filters by links and by the search field, and keeps the filter in its links', async () => {
    const [paid, rejected] = [await send({ query: 'a' }), await send({})]
    for (const [query, id] of [
      ['charge=charged', idOf(paid)],
      ['http=4xx', idOf(rejected)],
      [`q=${idOf(rejected)}`, idOf(rejected)],
      ['q=invalid_params', idOf(rejected)],
      ['q=400', idOf(rejected)],
    ])
      assert.equal(idsIn(await open(`/calls?${query}`))[0], id, query)
    for (const query of ['q=semantic/search', 'q=semantic', 'q=search', 'surface=api&last=1h'])
      assert.deepEqual(idsIn(await open(`/calls?${query}`)).slice(0, 2), [
        idOf(rejected),
        idOf(paid),
      ])
    const { body } = await open('/calls?charge=charged&http=2xx')
    assert.match(
      body,
      /class="chip selected" href="\/calls\?http=2xx" aria-label="Remove the filter Charged"/,
    )
    assert.match(body, /href="\/calls\.csv\?charge=charged&amp;http=2xx"/)
    assert.match((await open('/calls?q=nothing-like-it')).body, /No matching calls\./)
  })

  test('finds every key by its name, and rejects an unclear one with advice', async () => {
    const made = await bed.post('/api/v1/agents', { label: 'page reader 7' })
    await bed.post('/api/v1/agents', { label: 'page reader 8' })
    const id = idOf(await send({ query: 'a' }, made.json().data.key))
    assert.deepEqual(idsIn(await open('/calls?key=page+reader+7')), [id])
    const unclear = await open('/calls?key=page+reader')
    assert.equal(unclear.statusCode, 400)
    assert.match(unclear.body, /2 keys match\.[^]*page reader 8/)
  })

  test('rejects an invalid filter with its name', async () => {
    const page = await open('/calls?http=9')
    assert.equal(page.statusCode, 400)
    assert.match(page.body, /role="alert">[^<]*http_status/)
  })

  test('counts the listed calls by time and outcome, with the filter of the page', async () => {
    const { key } = (await bed.post('/api/v1/agents', { label: 'charted' })).json().data
    const cookie = await signIn(key)
    assert.doesNotMatch((await open('/calls', cookie)).body, /calls-chart/)
    await send({ query: 'a' }, key)
    await send({}, key)
    await send({}, key)
    bed.vendor.answerWith(() => ({ status: 500, body: {} }))
    await send({ query: 'a' }, key)
    const chartOf = async (query: string): Promise<string> =>
      (await open(`/calls${query}`, cookie)).body.split('class="calls-chart"')[1] ?? ''
    const words = (text: string): RegExp => new RegExp(`<title>[-\\d: ]+ UTC: ${text}</title>`)
    for (const query of ['', '?last=1h', '?last=24h', '?last=7d'])
      assert.match(await chartOf(query), words('1 charged, 1 failed, 2 rejected'), query)
    assert.match(await chartOf(''), /4 calls<[^]*Last 24 hours, [\d.]+¢ charged/)
    assert.match(await chartOf('?charge=charged'), words('1 charged'))
    assert.match(await chartOf('?charge=not_charged'), words('1 failed, 2 rejected'))
    assert.match(await chartOf('?q=invalid_params'), words('2 rejected'))
    assert.match(await chartOf('?http=2xx'), words('1 charged'))
  })

  test('has pages of 50 calls, and shows others nothing', async () => {
    const key = (await bed.post('/api/v1/agents', { label: 'many' })).json().data.key as string
    for (let count = 0; count < 51; count += 1) await send({}, key)
    const cookie = await signIn(key)
    const first = await open('/calls', cookie)
    const older = /href="(\/calls\?cursor=[^"]+)"/.exec(first.body)?.[1] ?? ''
    const second = await open(older, cookie)
    assert.deepEqual([idsIn(first).length, idsIn(second).length], [50, 1])
    const other = (await bed.post('/api/v1/agents', { label: 'other' })).json().data.key as string
    assert.deepEqual(idsIn(await open('/calls', await signIn(other))), [])
  })

  test('asks strangers to sign in, and offers a CSV file', async () => {
    assert.match((await open('/calls', '')).body, /action="\/balance\/sign-in"/)
    const id = idOf(await send({}))
    const file = await open(`/calls.csv?q=${id}`)
    assert.match(file.body, new RegExp(`\r\n${id},`))
  })
})

describe('the page of a rejected call', () => {
  test('shows the error with its fix, the time line and that nothing was held', async () => {
    const rejected = await send({ query: 'a', nonsense: 1 })
    const { error } = rejected.json()
    const { body } = await open(`/calls/${idOf(rejected)}`)
    const text = body.replaceAll('&quot;', '"').replaceAll('&#39;', "'")
    for (const part of [error.message, error.fix, 'Nothing was held, and no vendor was called'])
      assert.ok(text.includes(part), part)
    assert.match(body, /Report to the operator[^]*Request: /)
  })

  test('shows what a charged call held, asked, cost and by which rule', async () => {
    const { body } = await open(`/calls/${idOf(await send({ query: 'a' }))}`)
    assert.match(
      body,
      /Received<[^]*Held [\d.]+¢<[^]*Called <code>semantic\/search<[^]*Charged [\d.]+¢</,
    )
    assert.match(body, /Billing rule:<\/strong> Price: /)
  })
})

test('earlier addresses of calls lead to the new ones', async () => {
  assert.equal((await open('/balance/calls/req_1')).headers.location, '/calls/req_1')
  assert.equal(
    (await open('/balance/calls?idempotency_key=a')).headers.location,
    '/calls/find?idempotency_key=a',
  )
})
