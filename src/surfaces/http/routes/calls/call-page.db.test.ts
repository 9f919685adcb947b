import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import type { LightMyRequestResponse } from 'fastify'
import { openAppBed } from '../../../../../test/harness/beds/app.ts'
import { cookieOf, sendForm } from '../../../../../test/harness/clients/forms.ts'

const bed = await openAppBed()
const SEARCH = '/api/run/semantic/search'
const FOUND = {
  requestId: 'r',
  results: [{ id: 'https://a.example/', url: 'https://a.example/<b>' }],
}

beforeEach(() => bed.vendor.answerWith(() => ({ body: FOUND })))

const signIn = async (key: string): Promise<string> =>
  cookieOf(await sendForm(bed.app, { url: '/balance/sign-in', fields: { key } }))
const holder = await signIn(bed.liveKey)
const open = (url: string, cookie = holder): Promise<LightMyRequestResponse> =>
  bed.app.inject({ url, headers: { cookie } })
const stateIn = ({ body }: LightMyRequestResponse): string | undefined =>
  /<dt>State<\/dt><dd>([^<]*)</.exec(body)?.[1]
const search = (key?: string): Promise<LightMyRequestResponse> =>
  bed.post(SEARCH, { query: 'a' }, key === undefined ? {} : { 'idempotency-key': key })
const idOf = (response: LightMyRequestResponse): string => String(response.headers['x-request-id'])

describe('the page of a call', () => {
  test('is linked from the history and shows the stored answer', async () => {
    const id = idOf(await search('kept'))
    const { body: balance } = await open('/balance/transactions')
    const row = balance.slice(balance.indexOf(`href="/calls/${id}"`)).split('</tr>')[0]
    assert.match(row ?? '', />Charged<\/a> <span class="badge live">answer stored<\/span>/)
    const page = await open(`/calls/${id}`)
    assert.deepEqual([page.statusCode, stateIn(page)], [200, 'Finished'])
    assert.ok(page.body.includes(`href="/api/v1/calls/${id}"`))
    assert.ok(page.body.includes('https://a.example/&lt;b&gt;'))
    assert.match(page.body, /Status 200, stored until <time/)
  })

  test('finds a call by the idempotency key of its caller', async () => {
    const id = idOf(await search('lost & found'))
    const page = await open('/calls/find?idempotency_key=lost+%26+found')
    assert.deepEqual([stateIn(page), page.body.includes(id)], ['Finished', true])
    assert.ok(page.body.includes('value="lost &amp; found"'))
    const unknown = await open('/calls/find?idempotency_key=never')
    assert.equal(unknown.statusCode, 200)
    assert.match(unknown.body, /No call with this Idempotency-Key is running/)
  })

  test('shows a running call, and a failed one without a charge', async () => {
    const asked = Promise.withResolvers<void>()
    const finish = Promise.withResolvers<void>()
    bed.vendor.answerWith(async () => {
      asked.resolve()
      await finish.promise
      return { status: 500 }
    })
    const running = search('running')
    await asked.promise
    const page = await open('/calls/find?idempotency_key=running')
    finish.resolve()
    const failed = await open(`/calls/${idOf(await running)}`)
    assert.equal(stateIn(page), 'In progress')
    assert.match(page.body, /Pending<[^]*up to /)
    assert.equal(stateIn(failed), 'Failed')
    assert.match(failed.body, /Not charged<[^]*<code>upstream_error<\/code>/)
  })

  test('shows a job as queued until a worker begins it', async () => {
    const job = await bed.post('/api/run/core/onescrape-deep', { urls: ['https://a.example/'] })
    assert.equal(job.json().data.status, 'queued')
    const page = await open(`/calls/${idOf(job)}`)
    assert.equal(stateIn(page), 'Queued')
    assert.match((await open('/balance/transactions')).body, />Queued<\/a>/)
  })

  test('states that no answer is stored of a call without an idempotency key', async () => {
    const page = await open(`/calls/${idOf(await search())}`)
    assert.match(page.body, /No answer is stored\./)
  })

  test('hides calls of other accounts, modes and keys of scope "own"', async () => {
    const id = idOf(await search('private'))
    const own = (await bed.post('/api/v1/agents', { label: 'own' })).json().data.key as string
    for (const key of [bed.strangerKey, bed.testKey, own]) {
      const cookie = await signIn(key)
      assert.equal((await open(`/calls/${id}`, cookie)).statusCode, 404)
      const byKey = await open('/calls/find?idempotency_key=private', cookie)
      assert.match(byKey.body, /No call with this Idempotency-Key/)
    }
  })

  test('shows the sign-in form to a stranger and rejects an invalid id', async () => {
    assert.match((await open('/calls/req_1', '')).body, /action="\/balance\/sign-in"/)
    const invalid = await open('/calls/req_1')
    assert.equal(invalid.statusCode, 404)
    assert.match(invalid.body, /role="alert">This is no id of a call/)
    assert.equal((await open(`/calls/find?idempotency_key=${'k'.repeat(300)}`)).statusCode, 400)
  })

  test('redirects a program with a key to the API', async () => {
    for (const [path, target] of [
      ['/calls/req_1', '/calls/req_1'],
      ['/calls/find?idempotency_key=a', '/calls?idempotency_key=a'],
      ['/calls?charge=pending', '/calls?charge=pending'],
    ]) {
      const { headers } = await bed.get(path ?? '')
      assert.equal(headers.location, `/api/v1${target}`)
    }
  })
})
