import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { VendorReply, VendorRequest } from '../harness/vendors/vendor.ts'
import { FOUND, makeKey, openFireBed, SEARCH } from './bed.ts'
import { ask, tally, type Answer } from './client.ts'

const CONTENTS = '/api/run/semantic/contents'
const bed = await openFireBed()
const gateways = await bed.startMany(3)

// More than any cap here lets through: when so many reach the vendor, waiting for the rest proves nothing more.
const FAR_TOO_MANY = 50

/**
 * Sends `count` concurrent calls, alternating over the three processes. The vendor answers no call before every call either was
 * refused or reached it, so all of them meet the cap while the money of those that passed is still held.
 */
async function wave(
  count: number,
  key: string,
  path: string,
  body: unknown,
  reply: (request: VendorRequest) => VendorReply,
): Promise<Answer[]> {
  let [decided, atVendor] = [0, 0]
  const everyCallIsDecided = Promise.withResolvers<void>()
  const decide = (): void => {
    decided += 1
    if (decided === count) everyCallIsDecided.resolve()
  }
  bed.vendor.answerWith(async (request) => {
    atVendor += 1
    if (atVendor === FAR_TOO_MANY) everyCallIsDecided.resolve()
    decide()
    await everyCallIsDecided.promise
    return reply(request)
  })
  return Promise.all(
    Array.from({ length: count }, async (_, place) => {
      const answer = await ask({
        url: gateways[place % gateways.length]?.url ?? '',
        key,
        path,
        body,
        waitSeconds: 0,
      })
      if (answer.status !== 200) decide()
      return answer
    }),
  )
}

const search = (count: number, key: string): Promise<Answer[]> =>
  wave(count, key, SEARCH, { query: 'x' }, () => ({ body: FOUND }))

async function spentBy(primary: string, id: string): Promise<{ spent: number; held: number }> {
  const list = await ask({ url: gateways[0]?.url ?? '', key: primary, path: '/api/v1/agents' })
  const row = (
    JSON.parse(list.text) as { data: { id: string; spent_micros: number; held_micros: number }[] }
  ).data.find((one) => one.id === id)
  assert.ok(row)
  return { spent: row.spent_micros, held: row.held_micros }
}

test('1000 concurrent calls on three processes under a limit worth seven charge seven', async () => {
  const account = await bed.account('1000')
  const { id, key } = await makeKey(gateways[0]?.url ?? '', account.key, {
    ceiling_cents: 7,
    ceiling_period: 'month',
  })
  const answers = await search(1000, key)
  assert.deepEqual(tally(answers), { 200: 7, 'room_held 409': 993 })
  assert.deepEqual(await spentBy(account.key, id), { spent: 70_000, held: 0 })
  assert.deepEqual(await account.wallet(), { balance: 9_930_000n, held: 0n })
  assert.equal(new Set(answers.map(({ callId }) => callId)).size, 1000)
})

test('1000 concurrent calls on three processes with a balance worth seven charge seven', async () => {
  const account = await bed.account('7')
  assert.deepEqual(tally(await search(1000, account.key)), { 200: 7, 'room_held 409': 993 })
  assert.deepEqual(await account.wallet(), { balance: 0n, held: 0n })
})

const PAGES = Array.from({ length: 100 }, (_, place) => `https://a.example/${place}`)
// Held: 100 pages x 2 fields at 0.1 cents, 20 cents. Charged: what came, 50 pages of both, 10 cents.
const CONTENTS_BODY = { urls: PAGES, text: true, highlights: true }
const HALF_OF_IT = {
  results: PAGES.slice(0, 50).map((url) => ({
    url,
    id: url,
    text: 'Some text.',
    highlights: ['Some text.'],
  })),
  statuses: PAGES.slice(50).map((id) => ({ id, status: 'error' })),
}
// Credit released by partial deliveries covers the next wave, until no worst case fits: 140, 70, 40, 20, 10 cents.
const PASS_IN_EACH_WAVE = [7, 3, 2, 1, 0]

async function contentsWaves(key: string, refusal: string): Promise<void> {
  for (const [place, passing] of PASS_IN_EACH_WAVE.entries()) {
    const count = place === 0 ? 1000 : 100
    const answers = await wave(count, key, CONTENTS, CONTENTS_BODY, () => ({ body: HALF_OF_IT }))
    assert.deepEqual(tally(answers), {
      ...(passing === 0 ? {} : { 200: passing }),
      [passing === 0 ? refusal : 'room_held 409']: count - passing,
    })
    for (const answer of answers)
      assert.equal(answer.chargedMicros, answer.status === 200 ? 100_000 : 0)
  }
}

test('prices by use hold the worst case within the limit and release the unused part', async () => {
  const account = await bed.account('1000')
  const { id, key } = await makeKey(gateways[1]?.url ?? '', account.key, {
    ceiling_cents: 140,
    ceiling_period: 'month',
  })
  await contentsWaves(key, 'api_key_limit_exceeded 402')
  assert.deepEqual(await spentBy(account.key, id), { spent: 1_300_000, held: 0 })
  assert.deepEqual(await account.wallet(), { balance: 8_700_000n, held: 0n })
})

test('prices by use hold the worst case within the balance and never charge more', async () => {
  const account = await bed.account('140')
  await contentsWaves(account.key, 'credits_required 402')
  assert.deepEqual(await account.wallet(), { balance: 100_000n, held: 0n })
})

test('the books balance after all of this', () => bed.assertSound())
