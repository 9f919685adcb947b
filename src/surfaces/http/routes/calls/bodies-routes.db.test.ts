import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { openAppBed } from '../../../../../test/harness/beds/app.ts'
import { cookieOf, sendForm } from '../../../../../test/harness/clients/forms.ts'

const bed = await openAppBed()
const SEARCH = '/api/run/semantic/search'
const FOUND = { requestId: 'r', results: [{ id: 'https://a.example/', url: 'https://a.example/' }] }

beforeEach(() => bed.vendor.answerWith(() => ({ body: FOUND })))

const signIn = async (key: string): Promise<string> =>
  cookieOf(await sendForm(bed.app, { url: '/balance/sign-in', fields: { key } }))
const cookie = await signIn(bed.liveKey)
const press = (path: string, session = cookie) =>
  sendForm(bed.app, { url: `/calls/bodies/${path}`, fields: {}, headers: { cookie: session } })
const open = (url: string, session = cookie) =>
  bed.app.inject({ url, headers: { cookie: session } })
const makeKey = async (): Promise<string> =>
  (await bed.post('/api/v1/agents', { label: 'bodies', scope: 'own' })).json().data.key

async function bodiesOf(body: object, key: string) {
  const sent = await bed.post(SEARCH, body, { authorization: `Bearer ${key}` })
  const id = String(sent.headers['x-request-id'])
  const read = await bed.get(`/api/v1/calls/${id}`, { authorization: `Bearer ${key}` })
  return { id, bodies: read.json().data.bodies, sent: sent.json() }
}

describe('requests and answers', () => {
  test('are not stored unless the account turns it on', async () => {
    assert.equal((await bodiesOf({ query: 'a' }, await makeKey())).bodies, null)
  })

  test('are stored without secrets, shown with the call, and prefill the playground', async () => {
    assert.equal((await press('on')).headers.location, '/calls/bodies?done=on')
    const key = await makeKey()
    const { id, bodies, sent } = await bodiesOf({ query: `mine ${bed.testKey}` }, key)
    assert.deepEqual(JSON.parse(bodies.request), { query: 'mine (not stored)' })
    assert.deepEqual(JSON.parse(bodies.response).data, sent.data)
    const rejected = await bodiesOf({ query: 'a', api_key: 'hidden' }, key)
    assert.deepEqual(JSON.parse(rejected.bodies.request), { query: 'a', api_key: '(not stored)' })
    assert.equal(JSON.parse(rejected.bodies.response).error.code, 'invalid_params')
    const page = await open(`/calls/${id}`)
    assert.match(page.body, /Stored request and response/)
    assert.match(
      page.body,
      /href="\/catalog\/semantic\/search\?input=%7B[^"]*">[^]*Run again in the playground/,
    )
  })

  test('are bounded in size', async () => {
    await press('on')
    const { bodies } = await bodiesOf({ query: 'q'.repeat(200_000) }, await makeKey())
    assert.deepEqual([bodies.request.length, bodies.request_chars], [65_536, 200_012])
  })

  test('are deleted immediately on request, and no longer stored after it is turned off', async () => {
    await press('on')
    const key = await makeKey()
    const { id } = await bodiesOf({ query: 'a' }, key)
    await press('deleted')
    const read = await bed.get(`/api/v1/calls/${id}`)
    assert.equal(read.json().data.bodies, null)
    await press('off')
    // The key is still cached with the former setting.
    assert.equal((await bodiesOf({ query: 'a' }, key)).bodies, null)
  })

  test('can be changed by the primary live key and owners only', async () => {
    for (const key of [await makeKey(), bed.testKey]) {
      const session = await signIn(key)
      assert.equal((await press('on', session)).headers.location, '/calls/bodies')
      const page = await open('/calls/bodies', session)
      assert.match(page.body, /Only owners of the account and its primary live key can change this/)
    }
    assert.match((await open('/calls/bodies')).body, /Off\. This is the default\./)
    assert.equal((await press('on', '')).headers.location, '/calls/bodies')
  })

  test('leave each change of the setting and each deletion in the audit log, with its author', async () => {
    const last = async () => (await bed.get('/api/v1/changes?limit=1')).json().data[0]
    const recorded: unknown[] = []
    for (const path of ['on', 'deleted', 'off']) {
      await press(path)
      const { author, subject, what, fields } = await last()
      assert.match(author, /^browser with key agk_/)
      recorded.push([subject, what, fields])
    }
    assert.deepEqual(recorded, [
      ['account', 'changed', { stores_bodies: [false, true] }],
      ['bodies', 'deleted', {}],
      ['account', 'changed', { stores_bodies: [true, false] }],
    ])
  })
})
