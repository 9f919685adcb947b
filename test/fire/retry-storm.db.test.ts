import assert from 'node:assert/strict'
import { test } from 'node:test'
import { reportFigure } from '../harness/figure.ts'
import { FOUND, openFireBed, SEARCH } from './bed.ts'
import { ask, type Answer } from './client.ts'
import { startDroppingProxy } from './dropping-proxy.ts'

// bench/faults.ts sets a larger number.
const KEYS = Number(process.env['STORM_KEYS'] ?? 300)
// They send the same key at the same time, like a client that retries before the first answer.
const CLIENTS_OF_A_KEY = 3
const KEYS_AT_ONCE = 300
const LATER_REPLAYS = 100

const bed = await openFireBed()
const gateways = await bed.startMany(2)
const proxy = await startDroppingProxy(
  gateways.map(({ url }) => url),
  (answer) => answer % 10 < 3,
)

// No key needs nearly as many.
const MOST_ATTEMPTS = 5_000

/** Repeats the call until it returns 200. */
async function insist(url: string, key: string, idempotencyKey: string): Promise<Answer> {
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
    const answer = await ask({
      url,
      key,
      path: SEARCH,
      body: { query: idempotencyKey },
      idempotencyKey,
    }).catch(() => null)
    if (answer?.status === 200) return answer
    assert.ok(answer === null || [409, 502].includes(answer.status), answer?.text)
  }
  return assert.fail(`${idempotencyKey} was not answered`)
}

test('a retry storm with 30 % lost answers charges each key once, with equal bytes', async (context) => {
  const account = await bed.account('100000')
  let asked = 0
  const delivered: string[] = []
  bed.vendor.answerWith(({ body }) => {
    asked += 1
    if (asked % 5 === 0) return asked % 2 === 0 ? 'reset' : { status: 500 }
    delivered.push((body as { query: string }).query)
    return { body: { ...FOUND, requestId: `execution ${asked}` } }
  })
  const keys = Array.from({ length: KEYS }, (_, place) => `key ${place}`)
  const answers: (Answer & { readonly key: string })[] = []
  for (let start = 0; start < KEYS; start += KEYS_AT_ONCE) {
    answers.push(
      ...(await Promise.all(
        keys.slice(start, start + KEYS_AT_ONCE).flatMap((key) =>
          Array.from({ length: CLIENTS_OF_A_KEY }, async () => ({
            key,
            ...(await insist(proxy.url, account.key, key)),
          })),
        ),
      )),
    )
  }

  const charges = (await bed.charges()).filter(({ micros }) => micros > 0n)
  assert.equal(charges.length, KEYS)
  assert.equal(new Set(answers.map(({ callId }) => callId)).size, KEYS)
  assert.deepEqual(
    new Set(answers.map(({ callId }) => callId)),
    new Set(charges.map(({ id }) => id)),
  )
  assert.deepEqual(await account.wallet(), {
    balance: 1_000_000_000n - BigInt(KEYS) * 10_000n,
    held: 0n,
  })
  assert.deepEqual(delivered.sort(), [...keys].sort())

  const texts = new Map(answers.map(({ key, text }) => [key, text]))
  for (const { key, text } of answers) assert.equal(text, texts.get(key))
  for (const { idempotencyKey, status, text } of proxy.passed)
    if (status === 200) assert.equal(text, texts.get(idempotencyKey))
  const lost = proxy.passed.filter(({ dropped }) => dropped)
  assert.ok(
    lost.some(({ status }) => status === 200) &&
      lost.length >= Math.floor(proxy.passed.length * 0.3),
  )

  const later = await Promise.all(
    keys
      .slice(0, LATER_REPLAYS)
      .map(async (key) => ({ key, ...(await insist(gateways[1]?.url ?? '', account.key, key)) })),
  )
  for (const { key, text, replayed, headers } of later)
    assert.deepEqual([text, replayed, headers['x-charged-micros']], [texts.get(key), true, '0'])
  await bed.assertSound()
  reportFigure(context, {
    what: `calls charged or run twice in a retry storm of ${answers.length} calls, with ${Math.round((100 * lost.length) / proxy.passed.length)} % of responses lost and replays equal byte for byte`,
    measured: String(charges.length - KEYS),
    must: '0',
    isMet: charges.length === KEYS,
  })
})
