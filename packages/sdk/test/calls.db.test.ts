/** Calls against a gateway: results, errors, and lost answers that are charged once. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { startDroppingProxy } from '../../../test/fire/dropping-proxy.ts'
import { Tollgate } from '../src/index.ts'
import { openGateway } from './open-gateway.ts'

const gateway = await openGateway()
const live = new Tollgate({ key: gateway.liveKey, url: gateway.url })
const simulated = new Tollgate({ key: gateway.testKey, url: `${gateway.url}/` })
const PAGE = { urls: ['https://example.com/'] }

describe('a call', () => {
  test('returns data, charge, request id and remaining credit', async () => {
    const {
      data,
      charged,
      requestId,
      replayed,
      simulated: isSimulated,
      remainingCents,
    } = await simulated.core.onescrape(PAGE)
    assert.equal(data.rows[0]?.url, PAGE.urls[0])
    assert.deepEqual(charged, { micros: 20_000, cents: 2 })
    assert.match(requestId, /^req_/)
    assert.deepEqual([replayed, isSimulated], [false, true])
    assert.ok(remainingCents !== null && remainingCents > 0)
  })

  test('replays with the key of an earlier call, free', async () => {
    const before = await gateway.chargesOf('onescrape')
    const first = await simulated.run('core/onescrape', PAGE)
    const { idempotencyKey } = first
    const again = await simulated.run('core/onescrape', PAGE, { idempotencyKey })
    assert.deepEqual(again.data, first.data)
    assert.equal(again.replayed, true)
    assert.equal((await gateway.chargesOf('onescrape')).length, before.length + 1)
    await assert.rejects(
      simulated.run('core/onescrape', { urls: ['https://example.org/'] }, { idempotencyKey }),
      { code: 'idempotency_key_reused', status: 422, idempotencyKey },
    )
  })

  test('returns its result after lost answers, charged once', async () => {
    const proxy = await startDroppingProxy([gateway.url], (answer) => answer % 3 !== 2)
    const before = await gateway.chargesOf('onescrape')
    const client = new Tollgate({ key: gateway.testKey, url: proxy.url })
    for (const _ of [1, 2, 3]) {
      const { data, replayed } = await client.core.onescrape(PAGE)
      assert.deepEqual([data.row_count, replayed], [1, true])
    }
    const charges = (await gateway.chargesOf('onescrape')).slice(before.length)
    assert.deepEqual(charges, [20_000, 20_000, 20_000])
    assert.equal(proxy.passed.filter(({ dropped }) => dropped).length, 6)
  })
})

describe('an error', () => {
  test('names every field at fault with its fix', async () => {
    await assert.rejects(simulated.run('core/onescrape', { url: 'x', format: 'pdf' }), (error) => {
      assert.ok(error instanceof Object && 'fields' in error && 'requestId' in error)
      assert.match(String(error.requestId), /^req_/)
      const fields = error.fields as { field: string; fix: string }[]
      assert.ok(fields.length >= 2)
      assert.ok(fields.some(({ field, fix }) => field === 'url' && /urls/.test(fix)))
      return true
    })
  })

  test('has the code, the status and the fix of the gateway', async () => {
    await assert.rejects(live.run('core/nothing'), {
      name: 'TollgateError',
      code: 'unknown_action',
      status: 404,
      fix: /GET \/api\/run/,
    })
    const stranger = new Tollgate({ key: 'tg_live_none', url: gateway.url })
    await assert.rejects(stranger.run('core/discover', { query: 'x' }), { status: 401 })
  })
})
