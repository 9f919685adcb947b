import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../test/harness/property.ts'
import { createWorld, WEDNESDAY } from '../../test/harness/beds/world.ts'
import type { Database } from '../db/database.ts'
import { AppError } from '../errors/app-error.ts'
import type { Caller } from '../keys/caller.ts'
import { createKey } from '../keys/create-key.ts'
import { postCredit } from '../ledger/credit.ts'
import { newId, publicId } from '../lib/ids.ts'
import { cents } from '../lib/money.ts'
import { exportTransactions } from '../history/export-transactions.ts'
import { listTransactions, type PageRequest } from '../history/list-transactions.ts'
import type { TransactionFilter } from '../history/transaction-filter.ts'
import { transactionRecord, type TransactionRecord } from '../history/transaction-record.ts'

const world = await createWorld()

async function page(
  caller: Caller,
  filter: TransactionFilter = {},
  rest: Partial<PageRequest> = {},
): Promise<{ transactions: readonly TransactionRecord[]; nextCursor: string | null }> {
  return listTransactions(world.database, {
    walletId: caller.walletId,
    filter,
    cursor: null,
    limit: 100,
    ...rest,
  })
}

async function idsOf(caller: Caller, filter: TransactionFilter): Promise<string[]> {
  return (await page(caller, filter)).transactions.map(({ id }) => id)
}

/** All pages, with some work done between every two of them. */
async function walk(
  caller: Caller,
  limit: number,
  between: () => Promise<unknown>,
  filter: TransactionFilter = {},
): Promise<string[]> {
  const seen: string[] = []
  for (let cursor: string | null = null, more = true; more;) {
    const { transactions, nextCursor } = await page(caller, filter, { cursor, limit })
    assert.ok(transactions.length <= limit)
    seen.push(...transactions.map(({ id }) => id))
    await between()
    cursor = nextCursor
    more = cursor !== null
  }
  return seen
}

const tx = (id: string): string => publicId('transaction', id)

test('a settled call has every field, and one hop made from its own fields', async () => {
  const { caller, live } = await world.account()
  const id = await world.call(caller, { hold: '3', charge: '1.5', externalId: 'tenant-1' })
  const [record] = (await page(caller)).transactions
  assert.deepEqual(record, {
    id: tx(id),
    created_at: new Date(Number.parseInt(id.slice(0, 12), 16)).toISOString(),
    kind: 'call',
    status: 'settled',
    service: 'semantic',
    action: 'search',
    agent_id: live.id,
    external_id: 'tenant-1',
    request_id: `req_${id}`,
    job_id: null,
    held_micros: 30_000,
    charged_cents: 2,
    charged_micros: 15_000,
    amount_micros: -15_000,
    balance_after_micros: 1_985_000,
    hops: [
      {
        provider: 'semantic',
        action: 'search',
        ok: true,
        charged_cents: 2,
        charged_micros: 15_000,
        latency_ms: 120,
      },
    ],
    latency_ms: 120,
    error_code: null,
    sequence: 2,
    http_referer: null,
    app_title: null,
    price_id: null,
    surface: 'api',
  })
})

test('a failed call shows the error, the hold and that nothing was charged', async () => {
  const { caller } = await world.account()
  await world.call(caller, { hold: '4', errorCode: 'upstream_timeout' })
  const [record] = (await page(caller)).transactions
  assert.deepEqual(
    [
      record?.status,
      record?.error_code,
      record?.held_micros,
      record?.charged_cents,
      record?.charged_micros,
      record?.amount_micros,
    ],
    ['released', 'upstream_timeout', 40_000, 0, 0, 0],
  )
  assert.deepEqual(record?.hops, [
    {
      provider: 'semantic',
      action: 'search',
      ok: false,
      charged_cents: 0,
      charged_micros: 0,
      latency_ms: 120,
    },
  ])
})

test('shows stored hops unchanged', async () => {
  const { caller } = await world.account()
  const hops = [
    {
      provider: 'render',
      action: 'scrape',
      ok: false,
      charged_cents: 0,
      charged_micros: 0,
      latency_ms: 5,
      skipped: 'over budget',
    },
  ]
  await world.call(caller, { hops: JSON.stringify(hops) })
  assert.deepEqual((await page(caller)).transactions[0]?.hops, hops)
})

test('a call in progress is listed as held under the id of its later transaction', async () => {
  const { caller } = await world.account()
  const id = await world.call(caller, { hold: '2', open: true })
  const [record] = (await page(caller)).transactions
  assert.deepEqual(
    [
      record?.id,
      record?.status,
      record?.held_micros,
      record?.charged_micros,
      record?.balance_after_micros,
      record?.latency_ms,
    ],
    [tx(id), 'held', 20_000, 0, null, null],
  )
  assert.deepEqual(record?.hops, [])
  assert.equal(record?.request_id, `req_${id}`)
})

test('a job shows its own id and that of the request that submitted it', () => {
  const id = newId(world.now())
  const row = {
    id,
    kind: 'job',
    status: 'held',
    service: 'core',
    action: 'onescrape-deep',
    budget_id: null,
    external_id: null,
    http_referer: null,
    app_title: null,
    price_id: null,
    surface: null,
    sequence: null,
    held_micros: 1n,
    amount_micros: 0n,
    balance_after_micros: null,
    hops: [],
    latency_ms: null,
    error_code: null,
  } as const
  const { job_id, request_id } = transactionRecord(row)
  assert.deepEqual([job_id, request_id], [publicId('job', id), publicId('request', id)])
})

test('lists credit as income, not as a charge', async () => {
  const { caller } = await world.account()
  await postCredit(world.database, {
    id: newId(world.now()),
    walletId: caller.walletId,
    kind: 'topup',
    amount: cents('500'),
    nowMs: world.now(),
    reference: 'cs_1',
  })
  const [record, welcome] = (await page(caller)).transactions
  assert.deepEqual(
    [
      record?.kind,
      record?.amount_micros,
      record?.charged_micros,
      record?.request_id,
      record?.agent_id,
      record?.external_id,
      record?.hops,
    ],
    ['topup', 5_000_000, 0, null, null, 'cs_1', []],
  )
  assert.deepEqual([welcome?.kind, welcome?.balance_after_micros], ['grant', 2_000_000])
})

test('each filter selects exactly the matching rows', async () => {
  const { caller } = await world.account()
  const { id: keyId, key } = await createKey(world.keys, caller, { external_id: 'tenant-2' })
  const agent = await world.callerOf(key)
  const search = tx(await world.call(caller, {}))
  const scrape = tx(await world.call(agent, { service: 'render', action: 'scrape' }))
  const failed = tx(
    await world.call(caller, { service: 'render', action: 'map', errorCode: 'upstream_error' }),
  )
  const open = tx(await world.call(agent, { open: true }))
  const grant = (await idsOf(caller, { kind: 'grant' })).join()
  assert.deepEqual(await idsOf(caller, {}), [open, failed, scrape, search, grant])
  assert.deepEqual(await idsOf(caller, { service: 'render' }), [failed, scrape])
  assert.deepEqual(await idsOf(caller, { service: 'render', action: 'map' }), [failed])
  assert.deepEqual(await idsOf(caller, { action: 'search' }), [open, search])
  assert.deepEqual(await idsOf(caller, { keyId: keyId.slice(4) }), [open, scrape])
  assert.deepEqual(await idsOf(caller, { externalId: 'tenant-2' }), [open, scrape])
  assert.deepEqual(await idsOf(caller, { status: 'held' }), [open])
  assert.deepEqual(await idsOf(caller, { status: 'held', service: 'render' }), [])
  assert.deepEqual(await idsOf(caller, { status: 'released' }), [failed])
  assert.deepEqual(await idsOf(caller, { status: 'settled' }), [scrape, search, grant])
  assert.deepEqual(await idsOf(caller, { kind: 'call' }), [open, failed, scrape, search])
  assert.deepEqual(await idsOf(caller, { kind: 'topup' }), [])
})

test('a period includes its first millisecond and excludes its last', async () => {
  const { caller } = await world.account()
  const start = WEDNESDAY + 10 * 3_600_000
  const ids: string[] = []
  for (let hour = 0; hour < 3; hour += 1) {
    world.now.set(start + hour * 1000)
    ids.push(tx(await world.call(caller, {})))
  }
  assert.deepEqual(await idsOf(caller, { fromMs: start, toMs: start + 2000 }), [ids[1], ids[0]])
  assert.deepEqual(await idsOf(caller, { fromMs: start + 1 }), [ids[2], ids[1]])
  assert.deepEqual(await idsOf(caller, { fromMs: start + 2000, toMs: start }), [])
})

test('another account sees no rows', async () => {
  const { caller } = await world.account()
  const other = await world.account()
  await world.call(caller, {})
  await world.call(caller, { open: true })
  assert.deepEqual(
    (await page(other.caller)).transactions.map(({ kind }) => kind),
    ['grant'],
  )
  assert.deepEqual(
    (await page(other.testCaller)).transactions.map(({ kind }) => kind),
    ['grant'],
  )
})

test('paging returns every row that existed at the start exactly once, despite writes', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 7 }),
      fc.array(fc.constantFrom('settled', 'open', 'failed'), { maxLength: 25 }),
      async (limit, calls) => {
        const { caller } = await world.account()
        for (const kind of calls)
          await world.call(caller, {
            hold: '0.1',
            open: kind === 'open',
            ...(kind === 'failed' ? { errorCode: 'upstream_error' } : {}),
          })
        const before = await idsOf(caller, {})
        const holds = await world.database.query<{ id: string }>(
          'select id from holds where wallet_id = $1 order by id',
          [caller.walletId],
        )
        const open = holds.rows.map(({ id }) => id)
        const seen = await walk(caller, limit, async () => {
          await world.call(caller, { hold: '0.1' })
          await settleOne(caller, open.pop())
        })
        assert.equal(new Set(seen).size, seen.length)
        assert.deepEqual(
          seen.filter((id) => before.includes(id)),
          before,
        )
      },
    ),
    { numRuns: 12 },
  )
})

async function settleOne(caller: Caller, id: string | undefined): Promise<void> {
  if (id === undefined) return
  const hold = {
    id,
    walletId: caller.walletId,
    budgetId: caller.budgetId,
    amount: cents('0.1'),
    deadlineMs: 0,
    kind: 'call',
    service: 'semantic',
    action: 'search',
    externalId: null,
    claim: null,
    opened: true,
  } as const
  await world.ledger.resolve({
    hold,
    charge: cents('0.1'),
    latencyMs: 1,
    errorCode: null,
    hops: null,
  })
}

test('a filter with few matches ends its page where the scan ended, and the next continues', async () => {
  const { caller } = await world.account()
  const rare = tx(await world.call(caller, { service: 'rare' }))
  world.now.advance(1000)
  await writeSettledCalls(caller, 45_000)
  world.now.advance(60_000)
  const newest = tx(await world.call(caller, { service: 'rare' }))
  const first = await page(caller, { service: 'rare' })
  assert.deepEqual(
    first.transactions.map(({ id }) => id),
    [newest],
  )
  assert.notEqual(first.nextCursor, null)
  const second = await page(caller, { service: 'rare' }, { cursor: first.nextCursor })
  assert.deepEqual(second.transactions, [])
  assert.deepEqual(await walk(caller, 10, async () => {}, { service: 'rare' }), [newest, rare])
  assert.deepEqual(await walk(caller, 10, async () => {}, { status: 'released' }), [])
  const all = await walk(caller, 10_000, async () => {}, { kind: 'call' })
  assert.equal(new Set(all).size, 45_002)
})

/** Rows as the ledger would have written them, a thousand per millisecond; only for reading. */
async function writeSettledCalls(caller: Caller, count: number): Promise<void> {
  await world.database.query(
    `insert into transactions (id, wallet_id, sequence, budget_id, day, kind, status, held_micros, amount_micros, balance_after_micros, book, latency_ms, service, action)
     select (lpad(to_hex($1::bigint + line / 1000), 12, '0') || '70008' || lpad(to_hex(line), 15, '0'))::uuid, $2, 1000 + line, $3, 20000, 'call', 'settled', 10000, -10000, 0, 'revenue', 1, 'semantic', 'search'
     from generate_series(1, $4::integer) as line`,
    [world.now(), caller.walletId, caller.budgetId, count],
  )
}

test('rejects a cursor that no page returned', async () => {
  const { caller } = await world.account()
  await assert.rejects(
    page(caller, {}, { cursor: 'nonsense' }),
    (error) =>
      error instanceof AppError && error.code === 'invalid_params' && error.param === 'cursor',
  )
})

async function exported(
  caller: Caller,
  format: 'csv' | 'ndjson',
  filter: TransactionFilter = {},
): Promise<string> {
  const chunks: string[] = []
  for await (const chunk of exportTransactions(world.database, {
    walletId: caller.walletId,
    filter,
    format,
  }))
    chunks.push(chunk)
  return chunks.join('')
}

test('an export contains every row of the filter once, in page order', async () => {
  const { caller } = await world.account()
  await writeSettledCalls(caller, 2_345)
  await world.call(caller, { open: true })
  const lines = (await exported(caller, 'ndjson'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as TransactionRecord)
  assert.deepEqual(
    lines.map(({ id }) => id),
    await walk(caller, 500, async () => {}),
  )
  assert.deepEqual(lines[0], (await page(caller)).transactions[0])
  assert.equal((await exported(caller, 'csv')).trimEnd().split('\r\n').length, 2_345 + 1 + 1 + 1)
  assert.equal((await exported(caller, 'csv', { kind: 'refund' })).split('\r\n').length, 2)
})

test('an export reads ahead only as its consumer reads', async () => {
  const { caller } = await world.account()
  await writeSettledCalls(caller, 3_000)
  let queries = 0
  const counting: Database = {
    ...world.database,
    query: (text, values, name) => {
      queries += 1
      return world.database.query(text, values, name)
    },
  }
  const rows = exportTransactions(counting, {
    walletId: caller.walletId,
    filter: {},
    format: 'ndjson',
  })
  await rows.next()
  assert.equal(queries, 1)
  await rows.next()
  assert.equal(queries, 2)
  await rows.return(undefined)
  assert.equal(queries, 2)
})

test('a CSV has one column per transaction field, in the order of its JSON', async () => {
  const { caller } = await world.account()
  const [head] = parseCsv(await exported(caller, 'csv'))
  assert.deepEqual(head, Object.keys((await page(caller)).transactions[0] ?? {}))
})

test('CSV text cannot start a formula, break a line or end a cell; NDJSON has it unchanged', async () => {
  const { caller } = await world.account()
  const hostile = [
    '=1+1',
    '+1',
    '-1',
    '@SUM(A1)',
    '\t=1',
    '\r=1',
    '\n=1',
    '＝1+1',
    '＋1',
    '－1',
    '＠SUM(A1)',
    'a,b',
    'say "hi"',
    'two\nlines',
    "'quoted",
    ' =1',
  ]
  for (const externalId of hostile) await world.call(caller, { hold: '0.01', externalId })
  const cells = parseCsv(await exported(caller, 'csv'))
    .slice(1)
    .map((row) => row[7])
  const wanted = hostile
    .map((text) => (/^[=+\-@＝＋－＠\t\r\n]/.test(text) ? `'${text}` : text))
    .reverse()
  assert.deepEqual(cells, [...wanted, 'welcome'])
  const records = (await exported(caller, 'ndjson'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { external_id: string })
  assert.deepEqual(
    records.map((record) => record.external_id),
    [...hostile].reverse().concat('welcome'),
  )
})

test('numbers stay numbers in a CSV, including negative ones', async () => {
  const { caller } = await world.account()
  await world.call(caller, { hold: '1' })
  const [head = [], row = []] = parseCsv(await exported(caller, 'csv'))
  assert.equal(row[head.indexOf('amount_micros')], '-10000')
  assert.equal(row[head.indexOf('job_id')], '')
  assert.deepEqual(
    JSON.parse(row[head.indexOf('hops')] ?? ''),
    (await page(caller)).transactions[0]?.hops,
  )
})

/** Parses RFC 4180 like a spreadsheet. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [[]]
  for (const [, quoted, plain, end] of text.matchAll(
    /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g,
  )) {
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain ?? '')
    if (end === '\r\n') rows.push([])
    if (end === '') break
  }
  return rows.filter((row) => row.length > 1)
}
