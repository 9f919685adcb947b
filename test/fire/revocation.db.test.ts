import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FOUND, makeKey, openFireBed, SEARCH, type MadeKey } from './bed.ts'
import { ask, tally, type Answer } from './client.ts'

const CALLERS = 24
const bed = await openFireBed()
const [a, b] = await Promise.all([bed.start(), bed.start()])
bed.vendor.answerWith(() => ({ body: FOUND }))
const owner = await bed.account('1000000')

type Seen = { readonly sentMs: number; readonly answer: Answer }

/** Paid calls with `key` on process B, from before the request for `change` on process A until after its answer. */
async function paidWhile(
  key: string,
  change: () => Promise<Answer>,
): Promise<{ readonly before: Answer[]; readonly after: Answer[] }> {
  const seen: Seen[] = []
  let changedMs = Number.POSITIVE_INFINITY
  let sentAfterwards = 0
  async function caller(): Promise<void> {
    while (sentAfterwards < 10 * CALLERS) {
      const sentMs = performance.now()
      if (sentMs > changedMs) sentAfterwards += 1
      seen.push({
        sentMs,
        answer: await ask({ url: b.url, key, path: SEARCH, body: { query: 'x' } }),
      })
    }
  }
  async function changeSoon(): Promise<void> {
    while (seen.length < 10 * CALLERS) await new Promise(setImmediate)
    const changed = await change()
    assert.equal(changed.status, 200, changed.text)
    changedMs = performance.now()
  }
  await Promise.all([changeSoon(), ...Array.from({ length: CALLERS }, caller)])
  const sentBefore = ({ sentMs }: Seen): boolean => sentMs <= changedMs
  return {
    before: seen.filter(sentBefore).map(({ answer }) => answer),
    after: seen.filter((one) => !sentBefore(one)).map(({ answer }) => answer),
  }
}

const makeOne = (): Promise<MadeKey> => makeKey(a.url, owner.key, { label: 'one of many' })
const patch = (id: string, body: unknown) => (): Promise<Answer> =>
  ask({ url: a.url, key: owner.key, path: `/api/v1/agents/${id}`, method: 'PATCH', body })
const post = (path: string, body: unknown) => (): Promise<Answer> =>
  ask({ url: a.url, key: owner.key, path, body })
const free = (key: string): Promise<Answer> => ask({ url: b.url, key, path: '/api/v1/agents/me' })

/** Asks until the key is refused, for two thirds of the time that a key is remembered without news of it. */
async function untilRefused(key: string): Promise<Answer> {
  const until = performance.now() + 20_000
  let answer = await free(key)
  while (answer.status === 200 && performance.now() < until) answer = await free(key)
  return answer
}

const spentOf = async (id: string): Promise<bigint> =>
  (
    await bed.database.query<{ spent: bigint }>(
      'select coalesce(-sum(amount_micros), 0)::bigint as spent from transactions where budget_id = $1',
      [id.replace('agk_', '')],
    )
  ).rows[0]?.spent ?? -1n

test('after one process revokes a key, another process rejects every later paid call', async () => {
  const { id, key } = await makeOne()
  const { before, after } = await paidWhile(key, () =>
    ask({ url: a.url, key: owner.key, path: `/api/v1/agents/${id}`, method: 'DELETE' }),
  )
  assert.deepEqual(tally(after), { 'invalid_token 401': after.length })
  const answered = before.filter(({ status }) => status === 200)
  assert.ok(answered.length > 0)
  assert.equal(await spentOf(id), BigInt(answered.length) * 10_000n)
  assert.equal((await untilRefused(key)).code, 'invalid_token')
})

test('a key paused on one process keeps only free calls on another; resuming restores it', async () => {
  const { id, key } = await makeOne()
  const { after } = await paidWhile(key, patch(id, { paused: true }))
  assert.deepEqual(tally(after), { 'api_key_paused 403': after.length })
  assert.equal((await free(key)).status, 200)
  const resumed = await paidWhile(key, patch(id, { paused: false }))
  assert.deepEqual(tally(resumed.after), { 200: resumed.after.length })
})

test('a ceiling that one process lowers holds on another from the next call on', async () => {
  const { id, key } = await makeOne()
  const { after } = await paidWhile(key, patch(id, { ceiling_cents: 0, ceiling_period: 'day' }))
  assert.deepEqual(tally(after), { 'api_key_limit_exceeded 402': after.length })
})

test('a rotated secret works on every process until its grace ends', async () => {
  const { id, key } = await makeOne()
  let fresh = ''
  const { after } = await paidWhile(key, async () => {
    const rotated = await post(`/api/v1/agents/${id}/rotate`, { grace_seconds: 3600 })()
    fresh = (JSON.parse(rotated.text) as { data: MadeKey }).data.key
    return rotated
  })
  assert.deepEqual(tally(after), { 200: after.length })
  assert.equal(
    (await ask({ url: b.url, key: fresh, path: SEARCH, body: { query: 'x' } })).status,
    200,
  )
  assert.equal(
    JSON.parse((await free(fresh)).text).data.id,
    JSON.parse((await free(key)).text).data.id,
  )

  const again = await post(`/api/v1/agents/${id}/rotate`, {})()
  const newest = (JSON.parse(again.text) as { data: MadeKey }).data.key
  for (const former of [key, fresh])
    assert.equal((await untilRefused(former)).code, 'invalid_token')
  assert.equal((await free(newest)).status, 200)
})

test('a grace that is over ends the former secret in every process, although they remembered it', async () => {
  const { id, key } = await makeOne()
  assert.equal((await free(key)).status, 200)
  const rotatedMs = Date.now()
  assert.equal((await post(`/api/v1/agents/${id}/rotate`, { grace_seconds: 1 })()).status, 200)
  assert.equal((await untilRefused(key)).code, 'invalid_token')
  assert.ok(Date.now() >= rotatedMs + 1000)
})

test('the books balance after all of this', () => bed.assertSound())
