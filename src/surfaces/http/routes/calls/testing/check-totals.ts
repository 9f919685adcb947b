/** A bed of two processes whose totals of calls agree, and the check that they do. */
import assert from 'node:assert/strict'
import { openAppBed } from '../../../../../../test/harness/beds/app.ts'
import { cookieOf, sendForm } from '../../../../../../test/harness/clients/forms.ts'
import type { CallRecord } from '../../../../../history/calls/call-record.ts'
import { ROWS_PER_KEY } from '../../../../../history/log/minute-shares.ts'
import { newId } from '../../../../../lib/ids.ts'

const TOKEN = 'metrics-token-of-the-operator-0123456789'
export const bed = await openAppBed({ metricsToken: TOKEN })
export const processes = [bed.app, await bed.another()]
export const cookie = cookieOf(
  await sendForm(bed.app, { url: '/balance/sign-in', fields: { key: bed.liveKey } }),
)
export const MINUTE_MS = 60_000

export async function createKey(label: string): Promise<string> {
  const made = await bed.post('/api/v1/agents', { label })
  return made.json<{ data: { key: string } }>().data.key
}

// Few enough for the credit of the account.
const AT_ONCE = 10

/** Sends `count` calls to each process. Returns the HTTP status of the last one. */
export async function send(
  key: string,
  path: string,
  body: object,
  count: number,
): Promise<number> {
  let status = 0
  for (let sent = 0; sent < count; sent += AT_ONCE) {
    const answers = await Promise.all(
      processes.flatMap((app) =>
        Array.from({ length: Math.min(AT_ONCE, count - sent) }, () =>
          app.inject({
            method: 'POST',
            url: `/api/run/${path}`,
            headers: { authorization: `Bearer ${key}`, prefer: 'wait=0' },
            payload: body,
          }),
        ),
      ),
    )
    status = answers.at(-1)?.statusCode ?? 0
  }
  return status
}

export async function listed(query = ''): Promise<readonly CallRecord[]> {
  const calls: CallRecord[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const page = await bed.get(`/api/v1/calls?limit=100${query}${cursor && `&cursor=${cursor}`}`)
    const { data, next_cursor: next } = page.json<{
      data: CallRecord[]
      next_cursor: string | null
    }>()
    calls.push(...data)
    cursor = next
  }
  return calls
}

const weigh = (calls: readonly CallRecord[], first = 0, last = 999): number =>
  calls
    .filter(({ http_status: status }) => (status ?? 0) >= first && (status ?? 0) <= last)
    .reduce((sum, { omitted }) => sum + Math.max(1, omitted), 0)

/** Completed calls by code, as Prometheus reads them. */
async function metrics(): Promise<Readonly<Record<string, number>>> {
  const { body } = await bed.app.inject({
    url: '/metrics',
    headers: { authorization: `Bearer ${TOKEN}` },
  })
  const sums: Record<string, number> = {}
  for (const [, labels = '', value] of body.matchAll(/^tollgate_calls_total\{(.+)\} (\d+)$/gm)) {
    const code = /code="(\w+)"/.exec(labels)?.[1] ?? ''
    if (Number(value) > 0) sums[code] = (sums[code] ?? 0) + Number(value)
  }
  return sums
}

/** Makes about `factor` times 900 calls of every kind. The log, the home page, the export, /metrics and the ledger count the same. */
export async function checkTotals(factor: number): Promise<void> {
  const [steady, broken, confused] = [
    await createKey('steady'),
    await createKey('broken'),
    await createKey('confused'),
  ]
  bed.vendor.answerWith(({ body }) =>
    JSON.stringify(body).includes('break')
      ? { status: 500, body: {} }
      : { body: { requestId: 'r', results: [{ id: 'a', url: 'https://a.example/' }] } },
  )
  const failing = factor * (ROWS_PER_KEY + 10)
  assert.equal(await send(broken, 'semantic/search', { query: 'break' }, failing), 502)
  assert.equal(await send(steady, 'files/list', {}, factor * (ROWS_PER_KEY + 5)), 200)
  assert.equal(await send(confused, 'semantic/search', { nonsense: 1 }, failing), 400)
  // More kinds than are counted one by one.
  for (let kind = 0; kind < 25; kind += 1)
    assert.equal(await send(confused, `semantic/unknown-${kind}`, {}, 1), 404)
  // All credit is held: the calls are rejected as busy.
  const busy = await bed.calls.ledger.hold({
    id: newId(bed.clock()),
    walletId: await walletOf(),
    budgetId: null,
    externalId: null,
    kind: 'call',
    service: 'semantic',
    action: 'search',
    amount: (await balanceOf()) - 1n,
    deadlineMs: bed.clock() + MINUTE_MS,
    claim: null,
  })
  assert.equal(await send(steady, 'semantic/search', { query: 'busy' }, 30), 409)
  assert.ok(busy.opened)
  await bed.calls.ledger.resolve({
    hold: busy,
    charge: 0n,
    latencyMs: 1,
    errorCode: 'internal',
    hops: null,
  })
  assert.equal(await send(steady, 'semantic/search', { query: 'fine' }, 40), 200)

  // The other process writes its counts within 10 s, before the end of the minute.
  for (const app of processes)
    await app.inject({ url: '/api/v1/calls', headers: { authorization: `Bearer ${bed.liveKey}` } })
  const calls = await listed()
  const { ok = 0, ...errors } = await metrics()
  const failed = Object.values(errors).reduce((sum, count) => sum + count, 0)
  // Opened above without a request.
  const ofLedger = 1
  assert.ok(ok + failed > factor * 750)
  assert.deepEqual(
    [weigh(calls), weigh(calls, 200, 299), weigh(calls, 500, 599)],
    [ok + failed + ofLedger, ok, 2 * failing + ofLedger],
  )
  assert.equal(weigh(calls, 409, 409), errors['room_held'])
  assert.equal(weigh(await listed('&http_status=4xx')), failed - 2 * failing)
  assert.equal(weigh(await listed('&http_status=404')) <= 50, true)
  assert.equal(
    calls.filter(({ transaction_id: id }) => id !== null).length,
    Number((await booked())[0]?.count),
  )
  const { body: file } = await bed.get('/api/v1/calls?format=csv')
  const [head = '', ...lines] = file.trim().split('\r\n')
  const at = head.split(',').indexOf('omitted')
  assert.equal(
    lines.reduce((sum, line) => sum + Math.max(1, Number(line.split(',')[at])), 0),
    weigh(calls),
  )

  const total = new Intl.NumberFormat('en-US').format(weigh(calls))
  const [page, home] = await Promise.all(
    ['/calls', '/balance'].map(async (url) => {
      const { body } = await bed.app.inject({ url, headers: { cookie } })
      return body
    }),
  )
  assert.ok(page?.includes(`<strong>${total} calls</strong>`), `${total} on /calls`)
  assert.match(home ?? '', new RegExp(`Calls today[^]{0,200}>${total}<`))
  assert.doesNotMatch(home ?? '', /more (?:rejected|failed|free) calls/)
}

async function booked() {
  const { rows } = await bed.database.query<{ count: bigint }>(
    "select count(*) as count from transactions where wallet_id = $1 and kind = 'call'",
    [await walletOf()],
  )
  return rows
}

async function walletOf(): Promise<number> {
  const { rows } = await bed.database.query<{ id: bigint }>(
    "select wallets.id from wallets join accounts on accounts.id = account_id where email = 'mine@gate.example.com' and mode = 'live'",
  )
  return Number(rows[0]?.id)
}

async function balanceOf(): Promise<bigint> {
  const { rows } = await bed.database.query<{ balance: bigint }>(
    'select balance_micros as balance from wallets where id = $1',
    [await walletOf()],
  )
  return rows[0]?.balance ?? 0n
}
