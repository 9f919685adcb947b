import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openAppBed } from '../../test/harness/beds/app.ts'
import { setDailyCap } from '../accounts/set-daily-cap.ts'
import { closeAccount } from '../accounts/close-account.ts'
import { forgetAccount } from '../accounts/forget-account.ts'
import { findAccount } from '../accounts/find-account.ts'
import { grantCredit } from '../accounts/grant-credit.ts'
import { runAs } from '../db/author.ts'
import { DAY_MS } from '../lib/clock.ts'
import { cents } from '../lib/money.ts'
import { createCatalog } from '../catalog/index.ts'
import type { ChangeRecord } from './change-record.ts'
import { describeChange } from './change-record.ts'
import { forgetChanges, listChanges } from './list-changes.ts'
import { recordPrices } from './record-prices.ts'

const bed = await openAppBed()
const { app, database, clock } = bed
const MINE = 'mine@gate.example.com'
const OPERATOR = { by: 'operator jo', from: 'command line', requestId: null }

const authorized = (key: string) => ({ authorization: `Bearer ${key}` })
const changesSeenBy = async (key: string): Promise<ChangeRecord[]> =>
  (await app.inject({ url: '/api/v1/changes?limit=100', headers: authorized(key) })).json().data
const send = (method: 'PATCH' | 'DELETE', path: string, payload: object = {}) =>
  app.inject({ method, url: path, headers: authorized(bed.liveKey), payload })

async function makeKey(body: object): Promise<{ id: string; key: string }> {
  return (await bed.post('/api/v1/agents', body)).json().data
}

describe('the audit log', () => {
  test('records who created, changed and revoked a key, from where, with each value', async () => {
    const { id } = await makeKey({ label: 'researcher', ceiling_cents: 500 })
    await send('PATCH', `/api/v1/agents/${id}`, { ceiling_cents: 900, label: 'writer' })
    const patched = await send('PATCH', `/api/v1/agents/${id}`, { paused: true })
    await send('DELETE', `/api/v1/agents/${id}`)

    const found = (await changesSeenBy(bed.liveKey)).filter(({ subject_id }) => subject_id === id)
    assert.deepEqual(
      found.map(({ subject, what, fields }) => [subject, what, fields]),
      [
        ['limit', 'changed', { state: ['paused', 'closed'] }],
        ['limit', 'changed', { state: ['open', 'paused'] }],
        ['limit', 'changed', { ceiling_micros: [5_000_000, 9_000_000] }],
        ['key', 'changed', { label: ['researcher', 'writer'] }],
        ['key', 'created', found[4]?.fields],
      ],
    )
    const [, paused, , , created] = found
    assert.match(paused?.author ?? '', /^key agk_[0-9a-f]{32}$/)
    assert.deepEqual(
      [paused?.origin, paused?.request_id],
      ['127.0.0.1', patched.headers['x-request-id']],
    )
    assert.deepEqual(created?.fields['ceiling_micros'], [null, 5_000_000])
  })

  test('describes restrictions and child keys in words', async () => {
    const parent = await makeKey({ label: 'parent', may_mint: true, allow: ['core/*', 'llm/*'] })
    const minted = await app.inject({
      method: 'POST',
      url: '/api/v1/agents/me/children',
      headers: authorized(parent.key),
      payload: { label: 'child', ceiling_cents: 50, ttl_s: 60 },
    })
    const child = (await changesSeenBy(bed.liveKey)).find(
      ({ subject_id: id }) => id === minted.json().data.id,
    )
    assert.equal(child?.author, `key ${parent.id}`)
    const words = describeChange(child)
    assert.match(
      words,
      new RegExp(`parent ${parent.id}.* expires \\d{4}-\\d\\d-\\d\\dT.* limit \\$0\\.50`),
    )
    const created = (await changesSeenBy(bed.liveKey)).find(
      ({ subject_id: id }) => id === parent.id,
    )
    const parentWords = describeChange(created as ChangeRecord)
    assert.match(parentWords, /allow core\/\* llm\/\*/)
    assert.doesNotMatch(parentWords, /secret|ceiling|none|true/)
  })

  test('never contains a secret or its hash', async () => {
    const { id, key } = await makeKey({ label: 'secret holder' })
    await bed.post(`/api/v1/agents/${id}/rotate`, { grace_seconds: 60 })
    const { rows } = await database.query<{ hash: string; entries: string }>(
      "select encode(secret_hash, 'hex') as hash, (select jsonb_agg(to_jsonb(changes))::text from changes) as entries from keys",
    )
    const entries = rows[0]?.entries ?? ''
    assert.ok(entries.includes('"hidden"') && !entries.includes(key))
    for (const { hash } of rows) assert.ok(!entries.includes(hash))
  })

  test('shows a primary key its own account only, and refuses other keys', async () => {
    const { key } = await makeKey({ label: 'ordinary' })
    const refused = await app.inject({ url: '/api/v1/changes', headers: authorized(key) })
    assert.deepEqual([refused.statusCode, refused.json().error.code], [403, 'key_cannot_mint_keys'])
    const account = (entries: readonly ChangeRecord[]) =>
      new Set(entries.map(({ account_id: id }) => id))
    const [mine, theirs] = [
      account(await changesSeenBy(bed.liveKey)),
      account(await changesSeenBy(bed.strangerKey)),
    ]
    assert.deepEqual([mine.size, theirs.size, mine.isDisjointFrom(theirs)], [1, 1, true])
  })

  test('names the operator of a daily cap and of granted credit', async () => {
    const { accountId } = await findAccount(database, MINE)
    await runAs(OPERATOR, async () => {
      await setDailyCap(database, { accountId, mode: 'live', cap: cents('700') })
      await setDailyCap(database, { accountId, mode: 'live', cap: cents('800') })
      await grantCredit(
        { database, now: clock },
        { accountId, mode: 'live', amount: cents('5'), reference: 'a' },
      )
    })
    const [credit, changed, set] = await changesSeenBy(bed.liveKey)
    assert.deepEqual(
      [credit, changed, set].map((change) => [change?.author, change?.origin]),
      Array.from({ length: 3 }, () => ['operator jo', 'command line']),
    )
    assert.equal(
      describeChange(changed as ChangeRecord).replace(/\d+ changed/, 'N changed'),
      'daily cap of wallet N changed: cap $7.00 → $8.00',
    )
    assert.deepEqual(set?.fields, { cap_micros: [null, 7_000_000] })
    assert.deepEqual(credit?.fields, { kind: [null, 'grant'], amount_micros: [null, 50_000] })
  })

  test('records nothing for calls and for changes that change nothing', async () => {
    const before = (await changesSeenBy(bed.liveKey)).length
    const { id } = await makeKey({ label: 'idle' })
    await send('PATCH', `/api/v1/agents/${id}`, { label: 'idle' })
    bed.vendor.answerWith(() => ({
      body: { requestId: 'r', results: [{ id: 'https://a.example/', url: 'https://a.example/' }] },
    }))
    const called = await bed.post('/api/run/semantic/search', { query: 'a paid call' })
    assert.equal(called.statusCode, 200)
    assert.equal((await changesSeenBy(bed.liveKey)).length, before + 1)
  })

  test('pages through every entry once, and exports the same entries', async () => {
    for (let count = 0; count < 5; count += 1) await makeKey({ label: `key ${count}` })
    const all = await changesSeenBy(bed.liveKey)
    const paged: ChangeRecord[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const { data, next_cursor: next } = (
        await bed.get(`/api/v1/changes?limit=3${cursor === '' ? '' : `&cursor=${cursor}`}`)
      ).json() as { data: ChangeRecord[]; next_cursor: string | null }
      paged.push(...data)
      cursor = next
    }
    assert.deepEqual(paged, all)
    const exported = await bed.get('/api/v1/changes?format=ndjson')
    assert.deepEqual(
      exported.body
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
      all,
    )
    const table = await bed.get('/api/v1/changes?format=csv')
    assert.equal(table.body.split('\r\n').length, all.length + 2)
    const refused = await bed.get('/api/v1/changes?format=csv&limit=3')
    assert.deepEqual([refused.statusCode, refused.json().error.param], [400, 'limit'])
  })

  test('records changed prices once, and none at the first start', async () => {
    const catalog = createCatalog()
    assert.equal(await recordPrices(database, catalog), 0)
    assert.equal(await recordPrices(database, catalog), 0)
    await database.query(
      `update known_prices set price = '"9¢ per call"' where action = 'core/consult'`,
    )
    const counts = await Promise.all([
      recordPrices(database, catalog),
      recordPrices(database, catalog),
    ])
    assert.deepEqual(counts.toSorted(), [0, 1])
    const { changes } = await listChanges(database, { filter: {}, cursor: null, limit: 1 })
    assert.equal(
      describeChange(changes[0] as ChangeRecord),
      'price of core/consult changed: price 9¢ per call → 1¢ per call',
    )
  })

  test('keeps no value of an erased account', async () => {
    const { account, accountId } = await findAccount(database, 'stranger@gate.example.com')
    await closeAccount(database, account.email)
    await forgetAccount(database, accountId)
    const { changes } = await listChanges(database, {
      filter: { accountId },
      cursor: null,
      limit: 100,
    })
    assert.ok(changes.length > 0)
    for (const { fields, origin } of changes) assert.deepEqual([fields, origin], [{}, null])
  })

  test('forgets entries after two years', async () => {
    const { rows } = await database.query<{ count: bigint }>('select count(*) from changes')
    assert.equal(await forgetChanges(database, Date.now() + 700 * DAY_MS), 0)
    assert.equal(BigInt(await forgetChanges(database, Date.now() + 733 * DAY_MS)), rows[0]?.count)
  })
})
