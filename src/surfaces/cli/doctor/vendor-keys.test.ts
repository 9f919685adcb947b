import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startVendor, type TestVendor } from '../../../../test/harness/vendors/vendor.ts'
import { services } from '../../../vendors/index.ts'
import { credentialsOf } from '../../../catalog/vocabulary/wire.ts'
import type { Check } from './check.ts'
import { FREE_REQUESTS } from '../../../app/chores/free-requests.ts'
import { tryVendorKeys } from '../../../app/chores/try-vendor-keys.ts'
import { checkLanes } from './lanes.ts'
import { addVerdicts } from './vendor-keys.ts'

let vendor: TestVendor
// No program listens on this port. Another test could reuse a port that was just closed.
const CLOSED = 'http://127.0.0.1:1'
before(async () => {
  vendor = await startVendor()
})
after(() => vendor.server.close())

const SECRET = 'invalidSetting-secret'

async function checksOf(
  ids: readonly string[],
  url = vendor.url,
  timeoutMs = 5_000,
): Promise<Map<string, Check>> {
  const upstreams = new Map(
    services
      .filter(({ id }) => ids.includes(id))
      .map(({ id, vendor: its }) => [
        id,
        {
          url,
          credentials: Object.fromEntries(
            (its === undefined ? [] : credentialsOf(its)).map((name) => [name, SECRET]),
          ),
        },
      ]),
  )
  const verdicts = await tryVendorKeys(
    services,
    { upstreams, userAgent: 'Tollgate-Test/1.0', allowPrivateNetworks: [] },
    { now: Date.now, timeoutMs },
  )
  const checks = addVerdicts(checkLanes(services, upstreams), verdicts)
  assert.ok(!JSON.stringify(checks).includes(SECRET), 'no key is shown')
  return new Map(checks.map((check) => [check.name.slice('service '.length), check]))
}

test('sends each vendor one free request with its key and reports the verdict', async () => {
  const ids = Object.keys(FREE_REQUESTS)
  for (const [reply, state, words] of [
    [{ body: {} }, 'ok', /accepts the key/],
    [{ status: 401, body: {} }, 'broken', /rejects the key \(401\)/],
    [{ status: 403, body: {} }, 'broken', /rejects the key \(403\)/],
    [{ status: 500, body: {} }, 'broken', /not reachable: it returned 500/],
  ] as const) {
    vendor.requests.length = 0
    vendor.answerWith(() => reply)
    const checks = await checksOf(ids)
    for (const id of ids) {
      assert.equal(checks.get(id)?.state, state, `${id}: ${checks.get(id)?.found}`)
      assert.match(checks.get(id)?.found ?? '', words, id)
    }
    assert.equal(vendor.requests.length, ids.length)
    for (const { path, headers, body } of vendor.requests)
      assert.ok(
        JSON.stringify([path, headers, body]).includes(SECRET) ||
          String(headers.authorization).startsWith('Basic '),
        path,
      )
  }
})

test('recognizes rejections with status 200 and valid keys by a 404', async () => {
  vendor.answerWith(({ path }) =>
    path.startsWith('/getBalance')
      ? { body: { errorId: 1, errorCode: 'ERROR_KEY_DOES_NOT_EXIST' } }
      : { status: 404, body: {} },
  )
  const checks = await checksOf(['captcha', 'agentic', 'rag'])
  assert.deepEqual(
    ['captcha', 'agentic', 'rag'].map((id) => checks.get(id)?.state),
    ['broken', 'ok', 'unchecked'],
  )
  assert.match(checks.get('rag')?.found ?? '', /not checked: the vendor returned 404/)
})

test('reports unchecked for a vendor without a free request and sends none', async () => {
  vendor.requests.length = 0
  const check = (await checksOf(['semantic'])).get('semantic')
  assert.deepEqual([check?.state, vendor.requests.length], ['unchecked', 0])
  assert.match(check?.found ?? '', /key not checked: the vendor has no free request/)
})

test('reports a vendor that fails or times out as not reachable', async () => {
  assert.match((await checksOf(['rag'], CLOSED)).get('rag')?.found ?? '', /not reachable/)
  vendor.answerWith(() => 'hang')
  assert.match(
    (await checksOf(['rag', 'cited'], vendor.url, 50)).get('cited')?.found ?? '',
    /not reachable/,
  )
})
