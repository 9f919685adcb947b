import assert from 'node:assert/strict'
import { test } from 'node:test'
import { reportFigure } from '../harness/figure.ts'
import { completion, listOf, startModelServer } from '../harness/vendors/model-upstream.ts'
import { makeKey, openFireBed, type FireBed } from './bed.ts'
import { ask, tally, type Answer } from './client.ts'

const bed = await openFireBed()
const upstream = await startModelServer()
const LLM = { UPSTREAM_LLM_URL: upstream.url, UPSTREAM_LLM_KEY: 'secret' }
const CALLS = 12
/** Another number shows the wait of longer answers: 1500. */
const ANSWER_MS = Number(process.env['ROOM_ANSWER_MS'] ?? 100)
const MODEL = 'anthropic/claude-opus-5.5'

test('twelve concurrent calls of core/best on a key of 10 cents all succeed', async (context) => {
  upstream.list = listOf({ [MODEL]: ['0.000005', '0.00002'] })
  let [inProgress, most] = [0, 0]
  upstream.answerWith((asked) => {
    most = Math.max(most, (inProgress += 1))
    setTimeout(() => {
      inProgress -= 1
      completion(asked, 'Yes.', { prompt_tokens: 10, completion_tokens: 5 })
    }, ANSWER_MS)
  })
  const gateways = await Promise.all([bed.start(LLM), bed.start(LLM), bed.start(LLM)])
  const account = await bed.account('1000')
  const { id, key } = await makeKey(gateways[0]?.url ?? '', account.key, {
    ceiling_cents: 10,
    ceiling_period: 'day',
  })
  const body = {
    model: 'core/best',
    max_tokens: 4_000,
    messages: [{ role: 'user', content: 'Is the ledger exact?' }],
  }
  const waitsMs: number[] = []
  const answers = await Promise.all(
    Array.from({ length: CALLS }, async (_, place) => {
      const startMs = performance.now()
      const answer = await ask({
        url: gateways[place % gateways.length]?.url ?? '',
        key,
        path: '/api/llm/v1/chat/completions',
        body,
      })
      waitsMs.push(performance.now() - startMs - ANSWER_MS)
      return answer
    }),
  )
  const passed = answers.filter(({ status }) => status === 200).length
  reportFigure(context, {
    what: `calls of core/best that succeed of ${CALLS} at once on a key of 10 cents, ${ANSWER_MS} ms each; longest wait ${(Math.max(...waitsMs) / 1000).toFixed(1)} s`,
    measured: String(passed),
    must: String(CALLS),
    isMet: passed === CALLS,
  })
  assert.deepEqual(tally(answers), { 200: CALLS })
  assert.equal(most, 1, 'the key has credit for one call at a time')
  const { spent, held } = await budgetOf(bed, id)
  assert.ok(spent > 0n && spent <= 100_000n && held === 0n, `${spent} µ$ spent, ${held} µ$ held`)
  for (const { process } of gateways) process.kill('SIGTERM')
})

async function budgetOf({ database }: FireBed, keyId: string) {
  const { rows } = await database.query<{ spent: bigint; held: bigint }>(
    'select day_spent as spent, day_held as held from budgets where id = $1',
    [keyId.replace('agk_', '')],
  )
  assert.ok(rows[0])
  return rows[0]
}

const WAITERS = Number(process.env['ROOM_WAITERS'] ?? 1_000)
const KILLS = 2
const MOST_ATTEMPTS = 100
const RETRY_AFTER_MS = 1_000
const CONTENTS = '/api/run/semantic/contents'
const PAGES = Array.from({ length: 100 }, (_, place) => `https://a.example/${place}`)
// Holds 20 cents, and is charged one for the page that came. So few calls run at a time and all fit.
const BODY = { urls: PAGES, text: true, highlights: true }
const CEILING_CENTS = 300 + WAITERS

test('1000 calls that wait in three processes all succeed, while two are killed', async (context) => {
  let [inProgress, most, answered] = [0, 0, 0]
  const killAt = Array.from({ length: KILLS }, (_, kill) => ((kill + 1) * WAITERS) / (KILLS + 2))
  const due = killAt.map(() => Promise.withResolvers<void>())
  bed.vendor.answerWith(async () => {
    most = Math.max(most, (inProgress += 1))
    await new Promise((resume) => setTimeout(resume, 5))
    inProgress -= 1
    answered += 1
    for (const [place, count] of killAt.entries()) if (answered >= count) due[place]?.resolve()
    return {
      body: {
        requestId: 'r',
        results: [{ url: PAGES[0], id: PAGES[0], text: 'Some text.' }],
        statuses: PAGES.slice(1).map((id) => ({ id, status: 'error' })),
      },
    }
  })
  // Repeated calls of one key, which the default would reject.
  const limits = { RATE_LIMIT_PER_MINUTE: '1000000' }
  const gateways = await Promise.all([0, 1, 2].map(() => bed.start(limits)))
  const account = await bed.account('100000')
  const { id, key } = await makeKey(gateways[0]?.url ?? '', account.key, {
    ceiling_cents: CEILING_CENTS,
    ceiling_period: 'day',
  })
  const killing = (async () => {
    for (const [place, { promise }] of due.entries()) {
      await promise
      await gateways[place]?.end('SIGKILL')
      gateways[place] = await bed.start(limits)
    }
  })()
  const answers = await Promise.all(
    Array.from({ length: WAITERS }, (_, place) =>
      insist(place, () => gateways[place % gateways.length]?.url ?? '', key),
    ),
  )
  await killing
  await bed.nothingHeld()
  const { spent, held } = await budgetOf(bed, id)
  const charged = answers.reduce((sum, { chargedMicros }) => sum + BigInt(chargedMicros), 0n)
  reportFigure(context, {
    what: `calls lost of ${WAITERS} that wait in three processes, ${KILLS} of which are killed; overshoot of the limit`,
    measured: `${answers.filter(({ status }) => status !== 200).length}; ${spent > BigInt(CEILING_CENTS) * 10_000n ? spent : 0n} µ$`,
    must: '0; 0 µ$',
    isMet: answers.every(({ status }) => status === 200),
  })
  assert.deepEqual(tally(answers), { 200: WAITERS })
  assert.deepEqual({ spent, held }, { spent: charged, held: 0n })
  assert.ok(most <= CEILING_CENTS / 20, `${most} calls ran at a time`)
  await bed.assertSound()
})

/** Repeats a call with its idempotency key until it is answered, as an agent does. */
async function insist(place: number, url: () => string, key: string): Promise<Answer> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await ask({
      url: url(),
      key,
      path: CONTENTS,
      body: BODY,
      idempotencyKey: `waiter-${place}`,
      waitSeconds: 60,
    }).catch(() => null)
    if (answer?.status === 200 || answer?.status === 402 || attempt === MOST_ATTEMPTS) {
      assert.ok(answer !== null)
      return answer
    }
    await new Promise((resume) => setTimeout(resume, RETRY_AFTER_MS))
  }
}
