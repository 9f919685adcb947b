import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import Fastify, { type LightMyRequestResponse } from 'fastify'
import { cleanUp } from '../../../../../test/harness/clean-up.ts'
import { sendForm } from '../../../../../test/harness/forms.ts'
import { createWorld } from '../../../../../test/harness/world.ts'
import { openHolderSession, openKeySession } from '../../../../accounts/page-session.ts'
import { createCatalog } from '../../../../catalog/index.ts'
import { createValidator } from '../../../../catalog/validate.ts'
import { createAuthenticator } from '../../../../keys/authenticate.ts'
import type { Caller } from '../../../../keys/caller.ts'
import { createKey, type NewKey } from '../../../../keys/create-key.ts'
import type { KeyRecord } from '../../../../keys/key-record.ts'
import { listKeys } from '../../../../keys/list-keys.ts'
import { rotateKey } from '../../../../keys/rotate-key.ts'
import { updateKey } from '../../../../keys/update-key.ts'
import { newId, publicId } from '../../../../lib/ids.ts'
import { acceptJsonBodies } from '../../json-body.ts'
import { renderError } from '../../render-error.ts'
import { balancePageRoutes } from '../account/balance-page-routes.ts'
import { acceptForms } from '../visitor/forms.ts'
import { openPageParts } from '../visitor/page-parts.ts'
import { keyPageRoutes } from './key-page-routes.ts'

const world = await createWorld()
const authenticator = createAuthenticator({ database: world.database, now: world.now, cacheSize: 100, cacheMs: 30_000 })
await authenticator.ready
const keys = { ...world.keys, forget: authenticator.forget }
const parts = await openPageParts({ database: world.database, now: world.now, publicUrl: 'http://127.0.0.1:4020' })
const shared = { parts, ways: { signUp: false, mail: false, provider: null }, validator: createValidator() }
const app = Fastify({ genReqId: () => newId(world.now()) })
app.setErrorHandler(renderError)
acceptJsonBodies(app)
acceptForms(app)
await app.register(balancePageRoutes, { ...shared, catalog: createCatalog(), authenticator })
await app.register(keyPageRoutes, { ...shared, keys })
cleanUp(async () => {
  await app.close()
  await authenticator.close()
})

type Fields = Readonly<Record<string, string>>

const cookieWith = (token: string): string => `tollgate-page=${token}`
const byKey = async (secret: string): Promise<string> => cookieWith(await openKeySession(world, secret))
const asHolder = async ({ accountId }: Caller): Promise<string> => cookieWith(await openHolderSession(world, accountId))
const open = (url: string, cookie = ''): Promise<LightMyRequestResponse> => app.inject({ url, headers: { cookie } })
const send = (url: string, cookie: string, fields: Fields, headers: Fields = {}): Promise<LightMyRequestResponse> =>
  sendForm(app, { url, fields, headers: { cookie, ...headers } })

/** A form of the page as a browser without scripts sends it: where it goes, and the fields that nobody types. */
async function formOf(url: string, action: RegExp, cookie: string): Promise<{ action: string; hidden: Fields }> {
  return formIn(await open(url, cookie), action)
}

function formIn({ body }: LightMyRequestResponse, action: RegExp): { action: string; hidden: Fields } {
  for (const [, address = '', fields = ''] of body.matchAll(/<form[^>]* action="([^"]*)" method="post">(.*?)<\/form>/gs)) {
    if (!action.test(address)) continue
    const hidden = [...fields.matchAll(/type="hidden" name="([^"]*)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value])
    return { action: address.replaceAll('&amp;', '&'), hidden: Object.fromEntries(hidden) as Fields }
  }
  return { action: '', hidden: {} }
}

const CHANGE = /^\/keys\/\w+(\?|$)/
const CREATE = /^\/keys(\?|$)/
const ROTATE = /\/rotate/
const END_FORMER = /\/end-former/

async function create(cookie: string, fields: Fields, url = '/keys'): Promise<LightMyRequestResponse> {
  const { action, hidden } = await formOf(url, CREATE, cookie)
  return send(action, cookie, { ...hidden, ...fields })
}

async function change(id: string, cookie: string, fields: Fields): Promise<LightMyRequestResponse> {
  const { action, hidden } = await formOf(`/keys/${id}`, CHANGE, cookie)
  return send(action, cookie, { ...hidden, ...fields })
}

const secretsIn = ({ body }: LightMyRequestResponse): string[] => [...new Set(body.match(/tg_(?:live|test)_[0-9A-Za-z]{38}/g))]
const alertIn = ({ body }: LightMyRequestResponse): string => /role="alert">([^<]*)</.exec(body)?.[1] ?? ''
const keysOf = async (caller: Caller): Promise<readonly KeyRecord[]> => (await listKeys(keys, caller, { limit: 100, cursor: null })).keys
const make = (caller: Caller, input: NewKey = {}) => createKey(keys, caller, input)
async function keyOf(caller: Caller, id: string): Promise<KeyRecord> {
  const key = (await keysOf(caller)).find((one) => one.id === id)
  assert.ok(key !== undefined, id)
  return key
}

describe('the list', () => {
  test('says of each key what it is called, may spend, has spent and holds, when it was used and what it is to its user', async () => {
    const { caller, live } = await world.account()
    const { key, key_prefix: prefix } = await make(caller, { label: 'researcher', ceiling_cents: 500, ceiling_period: 'day', external_id: 'crew-7' })
    const calling = await world.callerOf(key)
    await world.call(calling, { hold: '3' })
    await world.call(calling, { hold: '2', open: true })
    const { statusCode, headers, body } = await open('/keys', await byKey(live.key))
    assert.deepEqual([statusCode, headers['cache-control']], [200, 'no-store'])
    for (const words of ['researcher', `${prefix}…`, 'active', '$5.00 a day', '$0.03 and $0.02 held', '2027-03-18 00:00:00', '2027-03-17 12:00:00', 'crew-7']) assert.ok(body.includes(words), words)
    assert.ok(!body.includes(key) && !body.includes(live.key), 'no secret is on the page')
  })

  test('pages on through more keys than fit, and answers a cursor that makes no sense on the page', async () => {
    const { caller, live } = await world.account()
    for (let count = 0; count < 50; count += 1) await make(caller, { label: `key ${count}` })
    const cookie = await byKey(live.key)
    const first = await open('/keys', cookie)
    const [, older = ''] = /href="([^"]*)#keys">Older/.exec(first.body) ?? []
    const second = await open(older.replaceAll('&amp;', '&'), cookie)
    const rows = ({ body }: LightMyRequestResponse): number => body.split('href="/keys/agk_').length - 1
    assert.deepEqual([rows(first), rows(second), second.body.includes('>Older<'), second.body.includes('>Newest<')], [50, 2, false, true])
    const strange = await open('/keys?cursor=x', cookie)
    assert.deepEqual([strange.statusCode, rows(strange)], [400, 50])
    assert.match(alertIn(strange), /cursor/)
  })

  test('is not for strangers, nor is a key or a form', async () => {
    const { caller } = await world.account()
    const { id } = await make(caller)
    for (const url of ['/keys', `/keys/${id}`]) {
      const { body } = await open(url)
      assert.deepEqual([body.includes('action="/sign-in"'), body.replaceAll(url, '').replaceAll(encodeURIComponent(url), '').includes('agk_')], [true, false], url)
    }
    for (const url of ['/keys', `/keys/${id}`, `/keys/${id}/pause`, `/keys/${id}/rotate`, `/keys/${id}/end-former`, `/keys/${id}/revoke`]) {
      const { statusCode, headers } = await send(url, '', { paused: 'yes', sure: 'yes' })
      assert.deepEqual([statusCode, headers.location], [303, '/keys'], url)
    }
    assert.equal((await keyOf(caller, id)).status, 'active')
  })

  test('what callers wrote is text, never markup, on every page', async () => {
    const { caller, live } = await world.account()
    const nasty = '"><script>alert(1)</script>'
    const cookie = await byKey(live.key)
    const { id } = await make(caller, { label: nasty, external_id: nasty })
    const made = await create(cookie, { label: nasty, ceiling: '1', period: 'day', external_id: nasty })
    const refused = await create(cookie, { label: nasty, ceiling: nasty, period: nasty, external_id: nasty })
    assert.deepEqual([made.statusCode, refused.statusCode], [201, 400])
    for (const { body } of [await open('/keys', cookie), await open(`/keys/${id}`, cookie), made, refused]) {
      assert.doesNotMatch(body, /<script|<style|style=|onclick/i)
      assert.ok(body.includes('&lt;script&gt;alert(1)&lt;/script&gt;'))
    }
  })
})

describe('a new key', () => {
  test('is made of what was typed, and its secret is shown with a call that uses it', async () => {
    const { caller, live } = await world.account()
    const made = await create(await byKey(live.key), { label: ' researcher ', ceiling: '5.00', period: 'week', external_id: '' })
    assert.deepEqual([made.statusCode, made.headers['cache-control']], [201, 'no-store'])
    const [secret = ''] = secretsIn(made)
    const { keyId } = await world.callerOf(secret)
    const [key] = await keysOf(caller)
    assert.deepEqual([key?.id, key?.label, key?.ceiling_cents, key?.ceiling_period, key?.external_id, key?.mode], [publicId('key', keyId), 'researcher', 500, 'week', null, 'live'])
    assert.ok(made.body.includes(`export TOLLGATE_KEY=${secret}\ncurl -s http://127.0.0.1:4020/api/run/core/onescrape`))
  })

  test('is made once, however often its form is sent: a reload shows the same key, and no other browser can read it', async () => {
    const { caller, live } = await world.account()
    const [cookie, elsewhere] = [await byKey(live.key), await byKey(live.key)]
    const { action, hidden } = await formOf('/keys', CREATE, cookie)
    const fields: Fields = { ...hidden, label: 'once', ceiling: '', period: 'month', external_id: '' }
    const first = await send(action, cookie, fields)
    const reload = await send(action, cookie, fields)
    assert.deepEqual([reload.statusCode, secretsIn(reload)], [201, secretsIn(first)])
    const other = await send(action, elsewhere, fields)
    assert.deepEqual([other.statusCode, secretsIn(other)], [422, []])
    const changed = await send(action, cookie, { ...fields, label: 'twice' })
    assert.deepEqual([changed.statusCode, changed.body.includes('value="twice"')], [422, true])
    assert.equal((await keysOf(caller)).length, 3)
    const again = formIn(changed, CREATE)
    assert.notEqual(again.hidden['once'], fields['once'], 'who wants a further key sends the form that is shown')
    assert.equal((await send(again.action, cookie, { ...fields, ...again.hidden, label: 'twice' })).statusCode, 201)
  })

  test('is made once by a double click, and whoever is told to send the form again gets it', async () => {
    const { caller, live } = await world.account()
    const cookie = await byKey(live.key)
    const { action, hidden } = await formOf('/keys', CREATE, cookie)
    const fields: Fields = { ...hidden, label: 'once', ceiling: '', period: 'month', external_id: '' }
    const clicks = await Promise.all(Array.from({ length: 4 }, () => send(action, cookie, fields)))
    for (const { statusCode, body } of clicks.filter(({ statusCode: status }) => status !== 201)) assert.deepEqual([statusCode, body.includes(`name="once" value="${fields['once']}"`)], [409, true])
    const last = await send(action, cookie, fields)
    const secrets = new Set([...clicks, last].flatMap(secretsIn))
    assert.deepEqual([last.statusCode, secrets.size, (await keysOf(caller)).length], [201, 1, 3])
  })

  test('without the token of a form none is made', async () => {
    const { caller, live } = await world.account()
    const cookie = await byKey(live.key)
    for (const once of ['', 'x']) assert.equal((await send('/keys', cookie, { label: 'a', period: 'day', once })).statusCode, 400)
    assert.equal((await keysOf(caller)).length, 2)
  })

  test('that is refused keeps what was typed and says why', async () => {
    const { caller, live } = await world.account()
    const cookie = await byKey(live.key)
    const typed = { label: 'researcher', ceiling: '5', period: 'week', external_id: 'crew-7' }
    for (const [wrong, told] of [[{ ceiling: '1,5' }, /amount in dollars/], [{ ceiling: '-1' }, /amount in dollars/], [{ ceiling: '0.001' }, /amount in dollars/], [{ ceiling: '1000000000' }, /amount in dollars/], [{ period: 'year' }, /ceiling_period/], [{ label: 'l'.repeat(101) }, /label/]] as const) {
      const sent: Fields = { ...typed, ...wrong }
      const refused = await create(cookie, sent)
      assert.equal(refused.statusCode, 400)
      assert.match(alertIn(refused), told)
      for (const name of ['label', 'ceiling', 'external_id']) assert.ok(refused.body.includes(`name="${name}" value="${sent[name]}"`), name)
    }
    assert.equal((await keysOf(caller)).length, 2)
  })

  test('may have names of the greatest length in any script', async () => {
    const { caller, live } = await world.account()
    const made = await create(await byKey(live.key), { label: '🦊'.repeat(100), ceiling: '$ 0', period: 'day', external_id: '🦊'.repeat(255) })
    const [key] = await keysOf(caller)
    assert.deepEqual([made.statusCode, key?.label?.length, key?.external_id?.length, key?.ceiling_cents], [201, 200, 510, 0])
  })
})

describe('one key', () => {
  test('is changed by its form, which keeps what was typed where it is refused', async () => {
    const { caller, live } = await world.account()
    const cookie = await byKey(live.key)
    const { id } = await make(caller, { label: 'before', ceiling_cents: 500, ceiling_period: 'day', external_id: 'crew-7' })
    const shown = await open(`/keys/${id}`, cookie)
    for (const field of ['value="before"', 'value="5.00"', '<option value="day" selected>', 'value="crew-7"']) assert.ok(shown.body.includes(field), field)
    const changed = await change(id, cookie, { label: 'after', ceiling: '12.5', period: 'month', external_id: '' })
    assert.deepEqual([changed.statusCode, changed.headers.location], [303, `/keys/${id}?saved=yes`])
    const { label, ceiling_cents: ceiling, ceiling_period: period, external_id: externalId } = await keyOf(caller, id)
    assert.deepEqual([label, ceiling, period, externalId], ['after', 1250, 'month', null])
    assert.ok((await open(String(changed.headers.location), cookie)).body.includes('Saved.'))
    const refused = await change(id, cookie, { label: 'third', ceiling: 'much', period: 'day', external_id: '' })
    assert.deepEqual([refused.statusCode, refused.body.includes('value="third"'), refused.body.includes('value="much"')], [400, true, true])
    assert.equal((await keyOf(caller, id)).label, 'after')
  })

  test('that somebody else changed meanwhile is not overwritten: the page says so with its present values and with what was typed, and takes them on purpose', async () => {
    const { caller, live } = await world.account()
    const cookie = await byKey(live.key)
    const { id } = await make(caller, { label: ' before ', ceiling_cents: 500, ceiling_period: 'day', external_id: 'crew-7' })
    const { action, hidden } = await formOf(`/keys/${id}`, CHANGE, cookie)
    await updateKey(keys, caller, id, { ceiling_cents: 100 })
    const typed = { label: 'after', ceiling: '5.00', period: 'day', external_id: 'crew-7' }
    const misread = await send(action, cookie, { ...hidden, ...typed, ceiling: 'much' })
    assert.deepEqual([misread.statusCode, formIn(misread, CHANGE).hidden], [400, hidden], 'a form that is sent again after a slip knows no more than before')
    const refused = await send(action, cookie, { ...hidden, ...typed })
    assert.equal(refused.statusCode, 422)
    assert.match(alertIn(refused), /was changed since its form was opened, so nothing was saved/)
    for (const words of ['name="ceiling" value="1.00"', 'name="label" value=" before "', 'You had typed: <bdi class="given">label “after”, ceiling “5.00”</bdi>']) assert.ok(refused.body.includes(words), words)
    const { label, ceiling_cents: ceiling } = await keyOf(caller, id)
    assert.deepEqual([label, ceiling], [' before ', 100])
    assert.equal((await send(action, cookie, { ...typed })).statusCode, 422, 'nor by a form that does not say')
    assert.equal((await send(action, cookie, { ...formIn(refused, CHANGE).hidden, ...typed })).statusCode, 303)
    assert.equal((await keyOf(caller, id)).ceiling_cents, 500)
  })

  test('is changed by a double click as by one, and by none of several that change it at once without the others', async () => {
    const { caller, live } = await world.account()
    const cookie = await byKey(live.key)
    const { id } = await make(caller)
    const { action, hidden } = await formOf(`/keys/${id}`, CHANGE, cookie)
    const sent = (label: string): Promise<LightMyRequestResponse> => send(action, cookie, { ...hidden, label, ceiling: '5', period: 'day', external_id: '' })
    for (const { statusCode } of await Promise.all([sent('one'), sent('one')])) assert.equal(statusCode, 303)
    const again = await formOf(`/keys/${id}`, CHANGE, cookie)
    const others = await Promise.all(['two', 'three', 'four'].map((label) => send(again.action, cookie, { ...again.hidden, label, ceiling: '5', period: 'day', external_id: '' })))
    assert.deepEqual(others.map(({ statusCode }) => statusCode).toSorted((one, other) => one - other), [303, 422, 422])
  })

  test('is paused and resumed', async () => {
    const { caller, live } = await world.account()
    const cookie = await byKey(live.key)
    const { id } = await make(caller)
    for (const [paused, status, offered] of [['yes', 'paused', 'value="no"'], ['no', 'active', 'value="yes"']] as const) {
      const { statusCode, headers } = await send(`/keys/${id}/pause`, cookie, { paused })
      assert.deepEqual([statusCode, headers.location, (await keyOf(caller, id)).status], [303, `/keys/${id}`, status])
      assert.ok((await open(`/keys/${id}`, cookie)).body.includes(`name="paused" ${offered}`))
    }
  })

  test('gets a new secret once however often the form is sent, and the former one works as long as was wished', async () => {
    const { caller, live } = await world.account()
    const cookie = await byKey(live.key)
    const { id, key: former } = await make(caller)
    const { action, hidden } = await formOf(`/keys/${id}`, ROTATE, cookie)
    const fields = { ...hidden, grace_seconds: '3600' }
    const [first, reload] = [await send(action, cookie, fields), await send(action, cookie, fields)]
    assert.deepEqual([first.statusCode, first.headers['cache-control'], reload.statusCode, secretsIn(reload)], [200, 'no-store', 200, secretsIn(first)])
    assert.ok(first.body.includes('2027-03-17 13:00:00'))
    for (const secret of [former, ...secretsIn(first)]) assert.equal((await authenticator.authenticate(secret)).accountId, caller.accountId)
    const atOnce = await send(action, cookie, { ...(await formOf(`/keys/${id}`, ROTATE, cookie)).hidden, grace_seconds: '0' })
    assert.equal(atOnce.statusCode, 200)
    await assert.rejects(authenticator.authenticate(former), /revoked/)
    assert.equal((await send(action, cookie, { ...(await formOf(`/keys/${id}`, ROTATE, cookie)).hidden, grace_seconds: 'long' })).statusCode, 400)
  })

  test('says until when its former secret works, here and in the list, and ends it at once where that is wished', async () => {
    const { caller, live } = await world.account()
    const cookie = await byKey(live.key)
    const { id, key: former } = await make(caller)
    const told = async (): Promise<boolean[]> => [(await open(`/keys/${id}`, cookie)).body.includes('works until'), (await open('/keys', cookie)).body.includes('former secret until'), (await formOf(`/keys/${id}`, END_FORMER, cookie)).action !== '']
    assert.deepEqual(await told(), [false, false, false])
    const { key } = await rotateKey(keys, caller, id, { graceSeconds: 3600 })
    assert.deepEqual([await told(), (await keyOf(caller, id)).former_key_valid_until], [[true, true, true], '2027-03-17T13:00:00.000Z'])
    assert.equal((await authenticator.authenticate(former)).accountId, caller.accountId)
    const { action } = await formOf(`/keys/${id}`, END_FORMER, cookie)
    for (const ended of [await send(action, cookie, {}), await send(action, cookie, {})]) assert.equal(ended.headers.location, `/keys/${id}`)
    await assert.rejects(authenticator.authenticate(former), /revoked/)
    assert.equal((await authenticator.authenticate(key)).accountId, caller.accountId)
    assert.deepEqual([await told(), (await keyOf(caller, id)).former_key_valid_until], [[false, false, false], null])
  })

  test('may be the very key that a browser is signed in with: that browser stays signed in and can read the new secret again, all others are out', async () => {
    const { live } = await world.account()
    const [cookie, elsewhere] = [await byKey(live.key), await byKey(live.key)]
    const { action, hidden } = await formOf(`/keys/${live.id}`, ROTATE, cookie)
    const fields = { ...hidden, grace_seconds: '0' }
    const [first, second] = [await send(action, cookie, fields), await send(action, cookie, fields)]
    assert.deepEqual([second.statusCode, secretsIn(second)], [200, secretsIn(first)])
    assert.equal((await world.callerOf(secretsIn(first)[0] ?? '')).primary, true)
    assert.deepEqual([(await open('/keys', cookie)).body.includes('agk_'), (await open('/keys', elsewhere)).body.includes('agk_')], [true, false])
  })

  test('gets one new secret by a double click, even the very key that the browser is signed in with', async () => {
    const { live } = await world.account()
    const cookie = await byKey(live.key)
    const { action, hidden } = await formOf(`/keys/${live.id}`, ROTATE, cookie)
    const fields: Fields = { ...hidden, grace_seconds: '0' }
    const clicks = await Promise.all(Array.from({ length: 4 }, () => send(action, cookie, fields)))
    for (const refused of clicks.filter(({ statusCode }) => statusCode !== 200)) {
      assert.deepEqual([refused.statusCode, formIn(refused, ROTATE).hidden['once'], refused.body.includes('value="0" selected')], [409, fields['once'], true], 'the form is shown to be sent again as it was')
    }
    const last = await send(action, cookie, fields)
    const secrets = [...new Set([...clicks, last].flatMap(secretsIn))]
    assert.deepEqual([last.statusCode, secrets.length], [200, 1])
    assert.equal((await world.callerOf(secrets[0] ?? '')).primary, true)
  })

  test('is revoked at once, after a tick in a box, and then has no forms', async () => {
    const { caller, live } = await world.account()
    const cookie = await byKey(live.key)
    const { id, key } = await make(caller)
    await authenticator.authenticate(key)
    const unsure = await send(`/keys/${id}/revoke`, cookie, {})
    assert.deepEqual([unsure.statusCode, (await keyOf(caller, id)).status], [400, 'active'])
    const { statusCode, headers } = await send(`/keys/${id}/revoke`, cookie, { sure: 'yes' })
    assert.deepEqual([statusCode, headers.location, (await keyOf(caller, id)).status], [303, `/keys/${id}`, 'revoked'])
    await assert.rejects(authenticator.authenticate(key), /revoked/)
    assert.doesNotMatch((await open(`/keys/${id}`, cookie)).body, /action="\/keys\//)
    assert.equal((await send(`/keys/${id}`, cookie, { label: 'a', period: 'day' })).statusCode, 422)
  })

  test('that is primary is not offered to be revoked, and is not', async () => {
    const { caller, live } = await world.account()
    const cookie = await byKey(live.key)
    assert.doesNotMatch((await open(`/keys/${live.id}`, cookie)).body, /\/revoke/)
    const refused = await send(`/keys/${live.id}/revoke`, cookie, { sure: 'yes' })
    assert.deepEqual([refused.statusCode, (await keyOf(caller, live.id)).status], [403, 'active'])
    assert.doesNotMatch(alertIn(refused), /api/)
  })

  test('of another account is not there, like one that nobody has', async () => {
    const [{ live }, other] = [await world.account(), await world.account()]
    const cookie = await byKey(live.key)
    const { id, key } = await make(other.caller, { label: 'theirs' })
    for (const unknown of [id, 'agk_x', `agk_${'0'.repeat(32)}`]) {
      const answers = [
        await open(`/keys/${unknown}`, cookie),
        ...(await Promise.all(['', '/pause', '/end-former', '/revoke'].map((wish) => send(`/keys/${unknown}${wish}`, cookie, { period: 'day', paused: 'yes', sure: 'yes' })))),
        await send(`/keys/${unknown}/rotate`, cookie, { ...(await formOf(`/keys/${live.id}`, ROTATE, cookie)).hidden, grace_seconds: '0' }),
      ]
      for (const { statusCode, body } of answers) assert.deepEqual([statusCode, body.includes('There is no such key.'), body.includes('theirs')], [404, true, false], unknown)
    }
    assert.equal((await world.callerOf(key)).accountId, other.caller.accountId)
    assert.equal((await keyOf(other.caller, id)).status, 'active')
  })
})

test('an ordinary key looks and writes nothing', async () => {
  const { caller, live } = await world.account()
  const { key, id } = await make(caller, { label: 'ordinary' })
  const [cookie, primary] = [await byKey(key), await byKey(live.key)]
  for (const url of ['/keys', `/keys/${live.id}`]) {
    const { statusCode, body } = await open(url, cookie)
    assert.deepEqual([statusCode, /holder of the account/.test(body), /action="\/keys/.test(body)], [200, true, false], url)
  }
  const before = await keysOf(caller)
  const { hidden } = await formOf('/keys', CREATE, primary)
  for (const [url, fields] of [['/keys', { ...hidden, period: 'day' }], ['/keys', { ceiling: 'much' }], [`/keys/${id}`, { ceiling: '', period: 'day' }], [`/keys/${id}/pause`, { paused: 'yes' }], [`/keys/${id}/rotate`, { ...hidden, grace_seconds: '0' }], [`/keys/${id}/end-former`, {}], [`/keys/${id}/revoke`, { sure: 'yes' }], ['/keys/agk_x/revoke', { sure: 'yes' }]] as const) {
    const refused = await send(url, cookie, fields)
    assert.deepEqual([refused.statusCode, secretsIn(refused)], [403, []], url)
    assert.match(alertIn(refused), /Sign in as the holder/)
  }
  assert.deepEqual(await keysOf(caller), before)
})

const FOREIGN: readonly Fields[] = [{ 'sec-fetch-site': 'cross-site' }, { origin: 'http://elsewhere.example' }]

test('a form that another site sends changes nothing', async () => {
  const { caller, live } = await world.account()
  const cookie = await byKey(live.key)
  const { id } = await make(caller)
  const { hidden } = await formOf('/keys', CREATE, cookie)
  const before = await keysOf(caller)
  for (const url of ['/keys', `/keys/${id}`, `/keys/${id}/pause`, `/keys/${id}/rotate`, `/keys/${id}/end-former`, `/keys/${id}/revoke`]) {
    for (const foreign of FOREIGN) {
      const { statusCode } = await send(url, cookie, { ...hidden, period: 'day', paused: 'yes', grace_seconds: '0', sure: 'yes' }, foreign)
      assert.equal(statusCode, 400, url)
    }
  }
  assert.deepEqual(await keysOf(caller), before)
})

test('whoever asks for the address of a form, by reloading or going back, gets the page of the key', async () => {
  const { caller } = await world.account()
  const holder = await asHolder(caller)
  for (const wish of ['pause', 'rotate', 'end-former', 'revoke']) {
    assert.equal((await open(`/keys/agk_x/${wish}`, holder)).headers.location, '/keys/agk_x')
    assert.equal((await open(`/keys/agk_x/${wish}?mode=test`, holder)).headers.location, '/keys/agk_x?mode=test')
  }
})

describe('live and test', () => {
  /** The addresses that a page leads to, of its own kind. */
  const addresses = ({ body }: LightMyRequestResponse): string[] => [...body.matchAll(/(?:href|action)="((?:\/keys|\/balance)[^"]*)"/g)].map(([, to = '']) => to.replaceAll('&amp;', '&'))
  const SWITCH = 'aria-label="Live or test"'

  test('holders switch between them, on the balance and on the keys; whoever has but a key sees no switch', async () => {
    const { caller, live, test: testKey } = await world.account()
    const holder = await asHolder(caller)
    for (const url of ['/balance', '/keys']) {
      const [shown, switched] = [await open(url, holder), await open(`${url}?mode=test`, holder)]
      assert.ok(shown.body.includes(`<a href="${url}" aria-current="true">Live</a>`) && shown.body.includes(`<a href="${url}?mode=test">Test</a>`), url)
      assert.ok(switched.body.includes(`<a href="${url}?mode=test" aria-current="true">Test</a>`), url)
      for (const key of [live.key, testKey.key]) assert.ok(!(await open(`${url}?mode=test`, await byKey(key))).body.includes(SWITCH), url)
    }
    assert.match((await open('/balance', holder)).body, /\$2\.00/)
    assert.match((await open('/balance?mode=test', holder)).body, /\$100\.00/)
    assert.doesNotMatch((await open('/balance?mode=test', await byKey(live.key))).body, /\$100\.00/)
  })

  test('a holder is told by which address they are signed in; a key has none to tell', async () => {
    const { caller, live, account } = await world.account()
    assert.ok((await open('/balance', await asHolder(caller))).body.includes(`Signed in as <bdi>${account.email}</bdi>`))
    for (const page of ['/balance', '/keys']) assert.ok((await open(page, await byKey(live.key))).body.includes(`Signed in with a key. The holder of the account can <a href="/sign-in?next=${page}">`))
    assert.ok(!(await open('/balance', await byKey(live.key))).body.includes(account.email))
  })

  test('every link and form of a page that shows test credit stays with it: filter, paging, download and keys', async () => {
    const { caller, testCaller } = await world.account()
    const holder = await asHolder(caller)
    for (let count = 0; count < 51; count += 1) await world.call(testCaller, { hold: '0.1', service: 'render', action: 'map' })
    for (let count = 0; count < 50; count += 1) await make(testCaller)
    const { id } = await make(testCaller)
    for (const url of ['/balance?mode=test', '/balance?service=render&mode=test', '/keys?mode=test', `/keys/${id}?mode=test`]) {
      const page = await open(url, holder)
      const others = addresses(page).filter((to) => !to.includes('mode=test') && to !== '/balance/sign-out')
      assert.deepEqual(others.filter((to) => !['/balance#history', url.split('?')[0]].includes(to)), [], url)
      const filter = /action="\/balance#history" method="get">(.*?)<\/form>/s.exec(page.body)?.[1]
      if (url.startsWith('/balance')) assert.ok(filter?.includes('<input type="hidden" name="mode" value="test">'), url)
    }
    const [older = ''] = addresses(await open('/balance?service=render&mode=test', holder)).filter((to) => to.includes('cursor='))
    assert.match(older, /service=render/)
    assert.match((await open(older, holder)).body, /test credit/)
    const download = await open('/balance/transactions.csv?mode=test&service=render', holder)
    assert.equal(download.body.trimEnd().split('\r\n').length, 52)
    assert.equal((await open('/balance/transactions.csv?service=render', holder)).body.trimEnd().split('\r\n').length, 1)
  })

  test('the forms act in the mode that the page shows, and reach no live key from a page of test keys', async () => {
    const { caller, testCaller } = await world.account()
    const holder = await asHolder(caller)
    const made = await create(holder, { label: 'of play', ceiling: '', period: 'day', external_id: '' }, '/keys?mode=test')
    assert.match(secretsIn(made)[0] ?? '', /^tg_test_/)
    assert.match(secretsIn(await create(holder, { label: 'real', ceiling: '', period: 'day', external_id: '' }))[0] ?? '', /^tg_live_/)
    const [live, play] = [await open('/keys', holder), await open('/keys?mode=test', holder)]
    assert.deepEqual([live.body.includes('real'), live.body.includes('of play'), play.body.includes('real'), play.body.includes('of play')], [true, false, false, true])
    const { id } = await make(caller)
    assert.equal((await open(`/keys/${id}?mode=test`, holder)).statusCode, 404)
    const played = await make(testCaller)
    const changed = await send(`/keys/${played.id}/pause?mode=test`, holder, { paused: 'yes' })
    assert.equal(changed.headers.location, `/keys/${played.id}?mode=test`)
  })
})
