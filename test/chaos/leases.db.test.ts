/** Gateway processes that die, freeze and stop during calls: their holds are released in seconds, not at their deadline. */
import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import { beforeEach, test, type TestContext } from 'node:test'
import { leaseOf } from '../../src/lib/ids.ts'
import { FOUND, openFireBed, SEARCH, type FireAccount } from '../fire/bed.ts'
import type { GatewayProcess } from '../harness/clients/gateway-process.ts'
import { reportFigure } from '../harness/figure.ts'
import { completion, eventsOf, startModelServer } from '../harness/vendors/model-upstream.ts'

const bed = await openFireBed()
const models = await startModelServer()
const LLM = { UPSTREAM_LLM_URL: models.url, UPSTREAM_LLM_KEY: 'secret' }
const USAGE = { prompt_tokens: 5, completion_tokens: 2 }
const COMPLETIONS = '/api/llm/v1/chat/completions'
// The aim is 10 s; a busy machine needs more. The deadlines of these holds are 147 to 1,257 s away.
const SOON_MS = 60_000

type Kind = { readonly path: string; readonly body: object }
const KINDS: Readonly<Record<string, Kind>> = {
  call: { path: SEARCH, body: { query: 'x' } },
  model: {
    path: COMPLETIONS,
    body: { model: 'maker/small', messages: [{ role: 'user', content: 'Hello.' }] },
  },
  stream: {
    path: COMPLETIONS,
    body: { model: 'maker/small', stream: true, messages: [{ role: 'user', content: 'Hello.' }] },
  },
}

function send(
  gateway: GatewayProcess,
  account: FireAccount,
  { path, body }: Kind,
  key: string,
): Promise<Response> {
  return fetch(`${gateway.url}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${account.key}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    },
    body: JSON.stringify(body),
  })
}

function answerNow(): void {
  bed.vendor.answerWith(() => ({ body: FOUND }))
  models.answerWith((asked) =>
    asked.body['stream'] === true
      ? asked.response
          .writeHead(200, { 'content-type': 'text/event-stream' })
          .end(eventsOf(['Good', '.'], USAGE).join(''))
      : completion(asked, 'Good.', USAGE),
  )
}

/** Resolves when this many calls are at their vendors, which answer after `letGo`. */
function hold(count: number): { readonly reached: Promise<void>; letGo(): void } {
  const [all, letGo] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let asked = 0
  const arrive = (): void => {
    asked += 1
    if (asked === count) all.resolve()
  }
  bed.vendor.answerWith(async () => {
    arrive()
    await letGo.promise
    return { body: FOUND }
  })
  models.answerWith(({ response, body }) => {
    if (body['stream'] === true)
      response
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .write(eventsOf(['Good', '.'], USAGE)[0] ?? '')
    arrive()
  })
  return { reached: all.promise, letGo: letGo.resolve }
}

/** A client that obeys Retry-After. */
async function repeatUntilAnswered(
  gateway: GatewayProcess,
  account: FireAccount,
  kind: Kind,
  key: string,
): Promise<number> {
  for (;;) {
    const answer = await send(gateway, account, kind, key)
    const text = await answer.text()
    if (answer.status !== 409) {
      assert.equal(answer.status, 200, text)
      return performance.now()
    }
    const seconds = Number(answer.headers.get('retry-after'))
    assert.ok(seconds >= 1 && seconds <= 10, `Retry-After: ${seconds}`)
    await delay(seconds * 1000)
  }
}

async function allFree(
  context: TestContext,
  gateway: GatewayProcess,
  account: FireAccount,
  { diedMs, where }: { readonly diedMs: number; readonly where: string },
): Promise<void> {
  let slowest = 0
  for (const [kind, endedMs] of await Promise.all(
    Object.entries(KINDS).map(
      async ([name, kind]) =>
        [name, await repeatUntilAnswered(gateway, account, kind, name)] as const,
    ),
  )) {
    context.diagnostic(`${kind}: ${((endedMs - diedMs) / 1000).toFixed(1)} s after the death`)
    assert.ok(endedMs - diedMs < SOON_MS)
    slowest = Math.max(slowest, (endedMs - diedMs) / 1000)
  }
  reportFigure(context, {
    what: `time from a process's death until ${where} answers a repeat of its keyed call`,
    measured: `${slowest.toFixed(1)} s`,
    must: '<= 10 s',
    isMet: slowest <= 10,
  })
}

/** The balance before, less one search and two completions, and nothing held. */
async function assertChargedOnce(account: FireAccount, credit: bigint): Promise<void> {
  assert.deepEqual(await account.wallet(), { balance: credit - 10_000n - 2n * 2n, held: 0n })
  await bed.assertSound()
}

beforeEach(answerNow)

test('another gateway answers the calls of a killed one within seconds, charged once', async (context) => {
  const account = await bed.account('1000')
  const [dying, other] = await Promise.all([bed.start(LLM), bed.start(LLM)])
  const underWay = hold(3)
  for (const [name, kind] of Object.entries(KINDS))
    void send(dying, account, kind, name)
      .then((answer) => answer.text())
      .catch(() => {})
  await underWay.reached
  assert.notEqual((await account.wallet()).held, 0n)
  await dying.end('SIGKILL')
  const diedMs = performance.now()
  answerNow()
  await allFree(context, other, account, { diedMs, where: 'another process' })
  await assertChargedOnce(account, 10_000_000n)
  assert.match(other.output(), /released the holds of an ended process/)
  await other.end('SIGTERM')
})

test('calls of a killed single gateway are released within seconds of its restart', async (context) => {
  const account = await bed.account('1000')
  const dying = await bed.start(LLM)
  const underWay = hold(3)
  for (const [name, kind] of Object.entries(KINDS))
    void send(dying, account, kind, name)
      .then((answer) => answer.text())
      .catch(() => {})
  await underWay.reached
  await dying.end('SIGKILL')
  const diedMs = performance.now()
  answerNow()
  const next = await bed.start(LLM)
  await allFree(context, next, account, { diedMs, where: 'the restarted process' })
  await assertChargedOnce(account, 10_000_000n)
  await next.end('SIGTERM')
})

test('a gateway frozen for longer than its lease charges nothing late, logs it and continues', async () => {
  const account = await bed.account('1000')
  const [frozen, other] = await Promise.all([bed.start(), bed.start()])
  const underWay = hold(1)
  const first = send(frozen, account, { path: SEARCH, body: { query: 'x' } }, 'frozen')
  await underWay.reached
  frozen.process.kill('SIGSTOP')
  bed.vendor.answerWith(() => ({ body: FOUND }))
  await repeatUntilAnswered(other, account, { path: SEARCH, body: { query: 'x' } }, 'frozen')
  underWay.letGo()
  frozen.process.kill('SIGCONT')
  const late = await first
  assert.deepEqual(
    [late.status, ((await late.json()) as { error: { code: string } }).error.code],
    [504, 'upstream_timeout'],
  )
  assert.deepEqual(await account.wallet(), { balance: 10_000_000n - 10_000n, held: 0n })
  const again = await send(frozen, account, { path: SEARCH, body: { query: 'x' } }, 'after')
  assert.equal(again.status, 200)
  await again.text()
  assert.deepEqual(await account.wallet(), { balance: 10_000_000n - 20_000n, held: 0n })
  assert.match(frozen.output(), /a result arrived after its hold was released and is not charged/)
  await Promise.all([frozen.end('SIGTERM'), other.end('SIGTERM')])
  assert.match(frozen.output(), /did not renew its lease in time/)
  await bed.assertSound()
})

test('a gateway that stops in order leaves no lease, and its last calls are charged', async () => {
  const account = await bed.account('1000')
  const gateway = await bed.start()
  const underWay = hold(1)
  const call = send(gateway, account, { path: SEARCH, body: { query: 'x' } }, 'last')
  await underWay.reached
  const { rows } = await bed.database.query<{ id: string; number: string }>(
    'select id, number from holds, process_leases',
  )
  assert.equal(leaseOf(rows[0]?.id ?? ''), rows[0]?.number)
  const ended = gateway.end('SIGTERM')
  underWay.letGo()
  assert.equal((await call).status, 200)
  assert.equal(await ended, 0)
  assert.equal((await bed.database.query('select from process_leases')).count, 0)
  assert.deepEqual(await account.wallet(), { balance: 10_000_000n - 10_000n, held: 0n })
})

test('a video whose worker dies during submission fails retryably and is not charged', async () => {
  const account = await bed.account('10000')
  const atVendor = Promise.withResolvers<void>()
  let submissions = 0
  bed.vendor.answerWith(() => {
    submissions += 1
    atVendor.resolve()
    return 'hang'
  })
  const media = { UPSTREAM_MEDIA_URL: bed.vendor.url, UPSTREAM_MEDIA_KEY: 'secret' }
  const dying = await bed.start(media)
  const submitted = await send(
    dying,
    account,
    { path: '/api/run/media/generate', body: { model: 'veo-3.1', prompt: 'A paper boat.' } },
    'video',
  )
  const { data } = (await submitted.json()) as { data: { job_id: string } }
  await atVendor.promise
  await dying.end('SIGKILL')
  const next = await bed.start(media)
  const ended = await send(
    next,
    account,
    { path: '/api/run/core/result', body: { job_id: data.job_id, wait_s: 30 } },
    'result',
  )
  const { data: job } = (await ended.json()) as {
    data: { status: string; charged_micros: number; error?: { code: string; retryable?: boolean } }
  }
  assert.deepEqual(
    [job.status, job.charged_micros, job.error?.code, job.error?.retryable, submissions],
    ['failed', 0, 'job_interrupted', true, 1],
  )
  assert.deepEqual(await account.wallet(), { balance: 100_000_000n, held: 0n })
  await next.end('SIGTERM')
})
