import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openAppBed } from '../../../../../test/harness/beds/app.ts'
import { formIn, sendForm, type Fields } from '../../../../../test/harness/clients/forms.ts'
import { openKeySession } from '../../../../auth/records/browser-session.ts'

const bed = await openAppBed()
const session = async (key: string): Promise<string> =>
  `__Host-tollgate-page=${await openKeySession({ database: bed.database, now: bed.clock }, key)}`
const mine = await session(bed.liveKey)
const stranger = await session(bed.strangerKey)
const HTTPS = { host: 'gate.example', origin: 'https://gate.example' }

const open = (url: string, cookie = mine) => bed.app.inject({ url, headers: { ...HTTPS, cookie } })

async function submit(page: string, form: RegExp, fields: Fields = {}, cookie = mine) {
  const { action, hidden } = formIn(await open(page, cookie), form)
  assert.notEqual(action, '', `${page} has the form ${String(form)}`)
  return sendForm(bed.app, {
    url: action,
    fields: { ...hidden, ...fields },
    headers: { ...HTTPS, cookie },
  })
}

const NEW = /^\/webhooks(\?|$)/
const FIELDS = { url: 'https://ops.example.com/hook', format: 'json', 'event job.failed': 'yes' }

/** Creates a webhook with the form and returns its page. */
async function create(fields: Fields = FIELDS): Promise<string> {
  const { body } = await submit('/webhooks/new', NEW, fields)
  return /href="(\/webhooks\/whk_\w+)"/.exec(body)?.[1] ?? assert.fail(body.slice(0, 300))
}

describe('/webhooks', () => {
  test('strangers get the sign-in page, programs with a key the API', async () => {
    assert.match((await open('/webhooks', '')).body, /Sign in/)
    const program = await bed.get('/webhooks')
    assert.deepEqual([program.statusCode, program.headers.location], [303, '/api/v1/webhooks'])
  })

  test('the form creates a webhook and shows its secret once, also after a double click', async () => {
    const { action, hidden } = formIn(await open('/webhooks/new'), NEW)
    const send = () =>
      sendForm(bed.app, {
        url: action,
        fields: { ...hidden, ...FIELDS },
        headers: { ...HTTPS, cookie: mine },
      })
    const [first, second] = [await send(), await send()]
    const secretOf = (text: string) => /whsec_[\w+/=]+/.exec(text)?.[0]
    assert.equal(first.statusCode, 201)
    assert.ok(secretOf(first.body) !== undefined)
    assert.equal(secretOf(second.body), secretOf(first.body))
    const list = await open('/webhooks')
    assert.equal(list.body.includes('whsec_'), false)
    assert.equal([...list.body.matchAll(/ops\.example\.com\/hook/g)].length, 1)
  })

  test('a rejected form names the reason and keeps the typed values', async () => {
    const { statusCode, body } = await submit('/webhooks/new', NEW, {
      ...FIELDS,
      url: 'http://10.0.0.1/hook',
      label: 'mine <b>',
    })
    assert.equal(statusCode, 400)
    assert.match(body, /role="alert">&quot;10\.0\.0\.1&quot; is not a host on the public internet/)
    assert.match(body, /value="http:\/\/10\.0\.0\.1\/hook"[^]*value="mine &lt;b&gt;"/)
  })

  test('rejects a form from another site', async () => {
    const response = await sendForm(bed.app, {
      url: '/webhooks',
      fields: FIELDS,
      headers: { ...HTTPS, cookie: mine, origin: 'https://evil.example' },
    })
    assert.equal(response.statusCode, 400)
  })
})

describe('/webhooks/{id}', () => {
  test('sends a test event, whose delivery page shows its body and repeats it', async () => {
    const page = await create()
    const sent = await submit(page, /\/test/)
    assert.equal(sent.statusCode, 303)
    const { body } = await open(String(sent.headers.location))
    assert.match(body, /Test event sent/)
    const delivery = /href="(\/webhooks\/deliveries\/dlv_\w+)"/.exec(body)?.[1] ?? ''
    const shown = await open(delivery)
    assert.match(shown.body.replaceAll(/<[^>]*>/g, ''), /webhook\.test[^]*&quot;sequence&quot;: \d/)
    const again = await submit(delivery, /\/redeliver/)
    assert.equal(again.statusCode, 303)
    assert.equal((await open(delivery, stranger)).statusCode, 404)
    assert.equal((await open(`${delivery}/redeliver`)).headers.location, delivery)
  })

  test('changes, disables, enables, rotates and deletes the webhook', async () => {
    const page = await create({ ...FIELDS, label: 'first' })
    const own = new RegExp(`^${page}(\\?|$)`)
    await submit(page, own, { ...FIELDS, label: 'second', 'event key.paused': 'yes' })
    assert.match((await open(page)).body, /<bdi>second<\/bdi>[^]*key\.paused/)
    await submit(page, /\/status/, { status: 'disabled' })
    assert.match((await open(page)).body, /Disabled/)
    await submit(page, /\/status/, { status: 'active' })
    const rotated = await submit(page, /\/rotate/, { grace_seconds: '3600' })
    assert.match(rotated.body, /whsec_/)
    assert.match((await open(page)).body, /also signs until/)
    assert.equal((await submit(page, /\/redeliver/, { hours: '24' })).statusCode, 303)
    assert.equal((await submit(page, /\/delete/)).statusCode, 400)
    assert.equal((await submit(page, /\/delete/, { sure: 'yes' })).statusCode, 303)
    assert.equal((await open(page)).statusCode, 404)
  })

  test('is unknown to other accounts, for reading and for every form', async () => {
    const page = await create()
    assert.equal((await open(page, stranger)).statusCode, 404)
    for (const form of ['', '/test', '/status', '/rotate', '/redeliver', '/delete']) {
      const response = await sendForm(bed.app, {
        url: `${page}${form}`,
        fields: {
          ...FIELDS,
          status: 'disabled',
          sure: 'yes',
          grace_seconds: '0',
          once: 'x'.repeat(43),
        },
        headers: { ...HTTPS, cookie: stranger },
      })
      assert.equal(response.statusCode, 404, form)
    }
    assert.match((await open(page)).body, /Active/)
  })
})
