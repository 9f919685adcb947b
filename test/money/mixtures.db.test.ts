/**
 * All surfaces concurrently on one account, over two processes with different clocks, around a midnight that begins a day, a
 * week and a month. The interleaving differs from run to run; the invariants do not.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { creditCardPayment } from '../../src/accounts/card-desk.ts'
import { collectReversals, reverseCardPayment } from '../../src/accounts/card-reversals.ts'
import { runCall } from '../../src/calls/run.ts'
import { USDC_ON_BASE } from '../../src/catalog/vocabulary/merchant.ts'
import { AppError } from '../../src/errors/app-error.ts'
import { cancelJob } from '../../src/jobs/cancel.ts'
import { postCredit } from '../../src/ledger/credit.ts'
import { makePartitions } from '../../src/ledger/partitions.ts'
import { verifyLedger } from '../../src/ledger/verify.ts'
import { DAY_MS } from '../../src/lib/clock.ts'
import { newId, parsePublicId, publicId } from '../../src/lib/ids.ts'
import { maintainSessions } from '../../src/resources/sessions/maintain-sessions.ts'
import { acceptX402 } from '../../src/upstream/sell/accept-x402.ts'
import { mcpClient, type ToolResult } from '../harness/clients/mcp.ts'
import { fc } from '../harness/property.ts'
import { openTwoProcesses, turns } from './two-processes.ts'
import { brokenPromises, toldByHttp, type Told } from './what-was-told.ts'

/** Of 1 February 2027, a Monday; so is 1 March. */
const MIDNIGHT = Date.UTC(2027, 1, 1)
const ROUND_DAYS = 28
const ROUNDS = 2
const DOINGS = 260
const SKEW_MS = 1_500
const CENT = 10_000n

const PAY_TO = '0x2222222222222222222222222222222222222222'
/** Payments that were taken, and how often. */
const taken = new Map<string, number>()
const x402 = acceptX402({
  asset: USDC_ON_BASE,
  recipient: PAY_TO,
  token: { name: 'USD Coin', version: '2' },
  async take({
    payload: {
      authorization: { nonce },
    },
  }) {
    await turns(Number(nonce.slice(-1)))
    if (nonce.endsWith('3')) return { refused: 'insufficient_funds' }
    if (nonce.endsWith('7')) throw new RangeError('no answer')
    taken.set(nonce, (taken.get(nonce) ?? 0) + 1)
    return { reference: nonce, receipt: {} }
  },
})

const bed = await openTwoProcesses({ acceptances: [x402], publicUrl: 'https://gate.example' })
const {
  clock,
  database,
  account: { id: accountId, walletId },
  callers,
  secrets,
  processes: [here, there],
} = bed
const mcp = mcpClient(bed)
const [, first, second] = callers
assert.ok(first !== undefined && second !== undefined)

const place = fc.nat(2)
const seed = fc.nat(12)
const key = fc.option(fc.constantFrom(1, 2, 3, 4, 5, 6), { nil: null, freq: 2 })
const call = (
  ...names: readonly (
    | 'run'
    | 'pages'
    | 'elsewhere'
    | 'tool'
    | 'chat'
    | 'stream'
    | 'job'
    | 'open'
    | 'close'
    | 'sale'
  )[]
) => fc.record({ do: fc.constantFrom(...names), place, key, seed })
const other = <Name extends string>(...names: readonly Name[]) =>
  fc.record({ do: fc.constantFrom(...names), seed })
const anything = fc.oneof(
  { weight: 10, arbitrary: call('run', 'pages', 'elsewhere', 'tool') },
  { weight: 5, arbitrary: call('chat', 'stream') },
  { weight: 6, arbitrary: call('job', 'open', 'close', 'sale') },
  { weight: 4, arbitrary: other('paid', 'refunded', 'disputed', 'won', 'grant') },
  { weight: 3, arbitrary: other('ceiling', 'period', 'pause', 'rotate') },
  {
    weight: 4,
    arbitrary: other('sweep', 'keep', 'beat', 'cancel', 'collect', 'partitions', 'verify'),
  },
  { weight: 1, arbitrary: other('hasty') },
)
type Doing = typeof anything extends fc.Arbitrary<infer One> ? One : never
type Call = Extract<Doing, { place: number }>

const told: Told[] = []
const jobs: string[] = []
const sessions: string[] = []
/** Keys are forgotten from one to the next. */
let round = 0

/** Mostly the same request under the same key. */
function repeating(one: Doing): Doing {
  return 'key' in one && one.key !== null && one.seed > 0 ? { ...one, seed: one.key } : one
}

function slotOf(route: string, number: number | null): string | null {
  return number === null ? null : `${route} ${number} in round ${round}`
}

async function post(path: string, { key: number, place: at }: Call, body: object): Promise<void> {
  const headers = {
    authorization: `Bearer ${secrets[at] ?? ''}`,
    ...(number === null ? {} : { 'idempotency-key': `k${number}` }),
  }
  told.push(toldByHttp(await bed.post(path, body, headers), slotOf(path, number)))
}

/** A call without HTTP. Returns its body, or null for a rejection. */
async function carryOut(
  { calls }: typeof here,
  { key: number, place: at }: Call,
  service: string,
  action: string,
  body: object,
): Promise<string | null> {
  const id = newId(calls.now())
  const caller = callers[at] ?? assert.fail()
  const idempotency =
    number === null
      ? null
      : { key: `k${number}`, fingerprint: Buffer.from(JSON.stringify(body)).toString('hex') }
  const slot = slotOf(`/api/run/${service}/${action}`, number)
  try {
    const {
      body: answer,
      charged,
      replayed: isReplayed,
    } = await runCall(calls, { id, caller, service, action, body, idempotency })
    told.push({ id, slot, isAnswered: true, charged, isReplayed, code: null })
    return answer
  } catch (error) {
    assert.ok(error instanceof AppError, String(error))
    told.push({ id, slot, isAnswered: false, charged: 0n, isReplayed: false, code: error.code })
    return null
  }
}

async function callTool({ key: number, place: at, seed: size }: Call): Promise<void> {
  const input = {
    service: 'semantic',
    action: 'search',
    params: query(size),
    ...(number === null ? {} : { idempotency_key: `k${number}` }),
  }
  const { result } = await mcp.ask<ToolResult | undefined>(
    'tools/call',
    { name: 'run', arguments: input },
    { authorization: `Bearer ${secrets[at] ?? ''}` },
  )
  // The key's secret was exchanged meanwhile.
  if (result === undefined) return
  // Errors are text only.
  const {
    ok,
    request_id: requestId,
    charged_micros: charged,
    error,
  } = JSON.parse(result.content[0]?.text ?? '') as ToolResult['structuredContent']
  const isReplayed = JSON.stringify(result._meta ?? {}).includes('idempotencyReplayed')
  told.push({
    id: parsePublicId('request', requestId) ?? assert.fail(),
    slot: slotOf('/api/run/semantic/search', number),
    isAnswered: ok,
    charged: isReplayed ? 0n : BigInt(charged),
    isReplayed,
    code: ok ? null : error.code,
  })
}

/** A stranger pays with one of a few payments, mostly for the same request. */
async function buy({ seed: number, place: at }: Call): Promise<void> {
  const accepted = {
    scheme: 'exact',
    network: `eip155:${USDC_ON_BASE.chainId}`,
    amount: String(CENT),
    asset: USDC_ON_BASE.currency,
    payTo: PAY_TO,
  }
  const nonce = `0x${String(round * 100 + number).padStart(64, '0')}`
  const payload = {
    signature: '0x1',
    authorization: { from: PAY_TO, to: PAY_TO, value: String(CENT), nonce },
  }
  const payment = Buffer.from(JSON.stringify({ x402Version: 2, accepted, payload })).toString(
    'base64',
  )
  const path = '/api/run/semantic/search'
  const sold = await bed.app.inject({
    method: 'POST',
    url: path,
    headers: { 'content-type': 'application/json', 'payment-signature': payment },
    payload: JSON.stringify(query(at === 0 ? 1 : number)),
  })
  told.push(toldByHttp(sold, `sale by ${nonce}`))
}

const query = (size: number) => ({ query: 'x'.repeat(size + 1) })

async function changeKey(change: object): Promise<void> {
  const { statusCode, body } = await bed.app.inject({
    method: 'PATCH',
    url: `/api/v1/agents/${publicId('key', first?.keyId ?? '')}`,
    headers: { authorization: `Bearer ${bed.liveKey}`, 'content-type': 'application/json' },
    payload: JSON.stringify(change),
  })
  assert.equal(statusCode, 200, body)
}

async function perform(one: Doing): Promise<unknown> {
  const { seed: size } = one
  const [near, far] = size % 2 === 0 ? [here, there] : [there, here]
  switch (one.do) {
    case 'run':
      return post('/api/run/semantic/search', one, query(size))
    case 'pages':
      return post('/api/run/semantic/contents', one, {
        urls: Array.from({ length: size + 1 }, (_, page) => `https://a${page}.example/`),
        text: true,
      })
    case 'elsewhere':
      return carryOut(there, one, 'semantic', 'search', query(size))
    case 'tool':
      return callTool(one)
    case 'chat':
      return post('/api/llm/v1/chat/completions', one, {
        model: 'test/model',
        max_tokens: 16_000 - size * 1_000,
        messages: [{ role: 'user', content: 'x'.repeat(size) }],
      })
    case 'stream':
      return post('/api/llm/v1/chat/completions', one, {
        model: 'test/model',
        max_tokens: 16_000 - size * 1_000,
        messages: [{ role: 'user', content: 'x'.repeat(size) }],
        stream: true,
        stream_options: { include_usage: true },
      })
    case 'job': {
      const body = await carryOut(near, one, 'work', 'deep', {
        budgetCents: 2 + (size % 4),
        seed: size,
        ...(size % 3 === 0 ? { max_cost_cents: 3 } : {}),
      })
      return body === null
        ? undefined
        : jobs.push((JSON.parse(body) as { data: { job_id: string } }).data.job_id)
    }
    case 'open': {
      const body = await carryOut(near, one, 'boxa', 'create_session', { max_cost_cents: 1 + size })
      return body === null
        ? undefined
        : sessions.push((JSON.parse(body) as { data: { session_id: string } }).data.session_id)
    }
    case 'close': {
      const id = sessions[size % Math.max(1, sessions.length)]
      return id === undefined
        ? undefined
        : far.driver.close({ accountId, mode: 'live', keyId: null, scope: 'account' }, id)
    }
    case 'sale':
      return buy(one)
    case 'paid':
      return creditCardPayment(
        { database, now: clock, cards: { reportClosed: () => {} } },
        {
          kind: 'paid',
          reference: `cs_${size}`,
          account: publicId('account', accountId),
          cents: 5,
          intent: `pi_${size}`,
          topup: null,
        },
      )
    case 'refunded':
    case 'disputed':
    case 'won': {
      const reference = `${one.do === 'refunded' ? 'ch' : 'dp'}_${size}`
      return reverseCardPayment(near.calls, {
        kind: 'reversed',
        reference,
        intent: `pi_${size}`,
        cents: one.do === 'won' ? 0 : 1 + (size % 7),
        isFinal: one.do === 'won',
        isOurs: false,
        atSeconds: 0,
        reason: one.do === 'refunded' ? 'refund' : 'dispute',
      })
    }
    case 'grant':
      return postCredit(database, {
        id: newId(clock()),
        walletId,
        kind: 'grant',
        amount: CENT,
        nowMs: clock(),
        expiresAt: new Date(clock() + 200 * size + 1),
      })
    case 'ceiling':
      return changeKey({ ceiling_cents: size })
    case 'period':
      return changeKey({ ceiling_period: ['day', 'week', 'month'][size % 3] })
    case 'pause':
      return changeKey({ paused: size % 6 === 0 })
    case 'rotate': {
      const rotated = await bed.post(
        `/api/v1/agents/${publicId('key', second?.keyId ?? '')}/rotate`,
        {},
      )
      secrets[2] = rotated.json<{ data: { key: string } }>().data.key
      return undefined
    }
    case 'sweep':
      return near.calls.ledger.sweep()
    case 'hasty':
      return bed.hasty.sweep()
    case 'keep':
      return maintainSessions(near.sessions)
    case 'beat':
      return near.worker.beat()
    case 'cancel': {
      const id = jobs[size % Math.max(1, jobs.length)]
      return id === undefined
        ? undefined
        : cancelJob(
            near.calls.database,
            parsePublicId('job', id) ?? assert.fail(),
            near.calls.now(),
          )
    }
    case 'collect':
      return collectReversals(near.calls)
    case 'partitions':
      return makePartitions(near.calls.database, near.calls.now())
    case 'verify':
      return assert.deepEqual((await verifyLedger(near.calls.database)).findings, [])
  }
}

async function endAll(): Promise<void> {
  for (const id of sessions)
    await here.driver.close({ accountId, mode: 'live', keyId: null, scope: 'account' }, id)
  for (;;) {
    await Promise.all([here.worker.beat(), there.worker.beat()])
    if (
      (await database.query("select from jobs where status in ('queued', 'running')")).count === 0
    )
      break
    await turns(5)
    clock.advance(1_000)
  }
  clock.advance(DAY_MS)
  await here.calls.ledger.sweep()
  await collectReversals(here.calls)
}

test('any mixture charges each caller once as reported, within limits, and balances', async () => {
  for (round = 1; round <= ROUNDS; round += 1) {
    clock.set(MIDNIGHT + (round - 1) * ROUND_DAYS * DAY_MS - 5_000)
    bed.skew(round % 2 === 0 ? SKEW_MS : -SKEW_MS)
    await postCredit(database, {
      id: newId(clock()),
      walletId,
      kind: 'topup',
      amount: 40n * CENT,
      nowMs: clock(),
    })
    const underWay: Promise<unknown>[] = []
    for (const [index, one] of fc
      .sample(anything, { numRuns: DOINGS, seed: (fc.readConfigureGlobal().seed ?? 0) + round })
      .entries()) {
      underWay.push(perform(repeating(one)))
      if (index % 6 !== 5) continue
      clock.advance(200)
      await turns(2)
    }
    for (const end of await Promise.allSettled(underWay))
      if (end.status === 'rejected') throw end.reason
    await endAll()
    assert.deepEqual((await verifyLedger(database)).findings, [])
    assert.equal((await database.query('select from holds')).count, 0)
  }
  assert.deepEqual(await brokenPromises(database, told), [])
  assert.deepEqual(
    [...taken.values()].filter((times) => times > 1),
    [],
  )
  // Or nothing was tried.
  const happened = new Set(
    told.map(({ code, isReplayed }) => (isReplayed ? 'replayed' : (code ?? 'answered'))),
  )
  for (const what of [
    'answered',
    'replayed',
    'upstream_error',
    'room_held',
    'idempotency_key_reused',
  ])
    assert.ok(happened.has(what), `nobody met ${what}`)
})
