/** Answers of language models that cost more than was held for them. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createKey } from '../../src/keys/create-key.ts'
import { completion, eventsOf, stream } from '../harness/vendors/model-upstream.ts'
import { openRouterBed } from '../harness/beds/router.ts'

const bed = await openRouterBed()
const ASK = {
  model: 'maker/large',
  messages: [{ role: 'user', content: 'Say yes.' }],
  max_tokens: 10,
}
/** At 20 µ$ a token of the answer, far beyond the ten that are held for. */
const COSTLY = { prompt_tokens: 10, completion_tokens: 1_000 }
const COST = 10n * 4n + 1_000n * 20n

const answerCostly = (): void =>
  bed.upstream.answerWith((asked) =>
    asked.body['stream'] === true
      ? stream(asked, eventsOf(['Yes', '.'], COSTLY))
      : completion(asked, 'Yes.', COSTLY),
  )
const setBalance = async (micros: bigint): Promise<void> =>
  void (await bed.world.database.query(
    "select ledger_credit($1, $2, $3, 'adjustment', 'adjustments', $4, null, null)",
    [bed.world.now(), crypto.randomUUID(), bed.walletId, micros - (await bed.wallet()).balance],
  ))

/** The charge by the answer's header or last event, by its usage and by the transaction, which agree. */
async function chargeOf(body: object, key?: string): Promise<bigint> {
  const before = (await bed.posted()).length
  const answer = await bed.post(body, {}, key)
  assert.equal(answer.status, 200)
  const text = await answer.text()
  const [last] = (await bed.postedCount(before + 1)).slice(-1)
  assert.ok(last)
  const usage =
    'stream' in body
      ? (
          JSON.parse(
            text
              .split('\n')
              .filter((line) => line.includes('"usage":{'))
              .at(-1)
              ?.slice(6) ?? '',
          ) as { usage: { cost: number } }
        ).usage
      : (JSON.parse(text) as { usage: { cost: number } }).usage
  assert.equal(BigInt(Math.round(usage.cost * 1_000_000)), last.charged)
  if (!('stream' in body))
    assert.equal(answer.headers.get('x-charged-micros'), String(last.charged))
  assert.ok(last.charged <= last.held)
  assert.ok(await bed.isSound())
  return last.charged
}

for (const [name, ask] of [
  ['a whole answer', ASK],
  ['a stream', { ...ASK, stream: true, stream_options: { include_usage: true } }],
] as const) {
  describe(`the cost of ${name} above its hold`, () => {
    it('is charged to the balance that is free', async () => {
      answerCostly()
      await setBalance(2_000_000n)
      assert.equal(await chargeOf(ask), COST)
      assert.deepEqual(await bed.wallet(), { balance: 2_000_000n - COST, held: 0n })
    })

    it('is charged as far as the balance reaches', async () => {
      await setBalance(5_000n)
      assert.equal(await chargeOf(ask), 5_000n)
      assert.deepEqual(await bed.wallet(), { balance: 0n, held: 0n })
      await setBalance(2_000_000n)
    })

    it('is charged as far as the key’s ceiling reaches', async () => {
      const { key } = await createKey(bed.world.keys, await bed.world.callerOf(bed.key), {
        label: 'capped',
        ceiling_cents: 1,
      })
      assert.equal(await chargeOf(ask, key), 10_000n)
    })

    it('is charged as far as max_cost_cents allows', async () => {
      assert.equal(await chargeOf({ ...ask, max_cost_cents: 1 }), 10_000n)
    })

    it('is charged as far as the daily cap reaches', async () => {
      await bed.world.database.query(
        'update inference_days set cap_micros = used_micros + 7000 where wallet_id = $1',
        [bed.walletId],
      )
      assert.equal(await chargeOf(ask), 7_000n)
      await bed.world.database.query(
        'update inference_days set cap_micros = 10000000 where wallet_id = $1',
        [bed.walletId],
      )
    })
  })
}
