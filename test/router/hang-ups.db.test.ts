/** A caller that hangs up anywhere in a stream: what it pays against what the upstream charges, for every event and places within. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { postCredit } from '../../src/ledger/credit.ts'
import { newId } from '../../src/lib/ids.ts'
import { EventFilter } from '../../src/llm/stream/event-filter.ts'
import { reportFigure } from '../harness/figure.ts'
import { openLeavingCaller } from '../harness/clients/leaving-caller.ts'
import { sampleOf } from '../harness/sample.ts'
import type { Asked } from '../harness/vendors/model-upstream.ts'
import {
  PROMPT_TOKENS,
  RECORDED_MODELS,
  RECORDED_STREAMS,
  type RecordedStream,
} from '../harness/vendors/recorded-streams.ts'
import { openRouterBed, type Posted } from '../harness/beds/router.ts'

const bed = await openRouterBed()
bed.upstream.list = RECORDED_MODELS
const { database, now } = bed.world
await postCredit(database, {
  id: newId(now()),
  walletId: bed.walletId,
  kind: 'topup',
  amount: 100_000_000n,
  nowMs: now(),
})
const startBalance = (await bed.wallet()).balance

const MESSAGES = [{ role: 'user', content: 'The ledger keeps every charge.' }]
const costOf = (completionTokens: number): bigint =>
  BigInt(PROMPT_TOKENS) * 4n + BigInt(completionTokens) * 20n
const bodyOf = ({ model, body }: RecordedStream) => ({
  model,
  messages: MESSAGES,
  stream: true,
  max_tokens: 1_100,
  ...body,
})

/** Every end of an event, and two places within it. */
function placesIn({ events }: RecordedStream): number[] {
  const places = [0]
  let start = 0
  for (const { length } of events) {
    places.push(
      start + Math.floor(length / 3),
      start + Math.floor((2 * length) / 3),
      start + length,
    )
    start += length
  }
  return places
}

type Left = { readonly row: Posted; readonly cost: bigint }

/** The upstream sends `at` bytes, the caller reads them and disconnects, and the upstream continues unless it is cancelled. */
async function hangUp(
  recorded: RecordedStream,
  at: number,
  idempotencyKey?: string,
): Promise<Left> {
  const { events, tokens, completionTokens, finishedAt, canThink, recordedAs } = recorded
  const bytes = Buffer.from(events.join(''))
  const sizes = events.map((_, place) => Buffer.byteLength(events.slice(0, place + 1).join('')))
  const whole = sizes.filter((size) => size <= at).length
  const isCancelled = idempotencyKey === undefined && !canThink && whole <= finishedAt
  const before = (await bed.posted()).length
  const asked = Promise.withResolvers<Asked>()
  if (recordedAs !== undefined)
    bed.upstream.records.set(recordedAs, { status: 404, body: { error: { code: 404 } } })
  bed.upstream.answerWith((one) => {
    one.response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
    one.response.write(bytes.subarray(0, at))
    asked.resolve(one)
  })
  const caller = openLeavingCaller(bed, { body: bodyOf(recorded), idempotencyKey })
  const { response, closed } = await asked.promise
  await caller.received(new EventFilter().push(bytes.subarray(0, at))?.length ?? 0)
  await caller.leave()
  if (isCancelled) await closed
  else response.end(bytes.subarray(at))
  const made = isCancelled
    ? tokens.slice(0, whole).reduce((sum, one) => sum + one, 0)
    : completionTokens
  if (recordedAs !== undefined)
    bed.upstream.records.set(recordedAs, {
      status: 200,
      body: { data: { native_tokens_prompt: PROMPT_TOKENS, native_tokens_completion: made } },
    })
  const row = (await bed.postedCount(before + 1))[before]
  assert.ok(row)
  return { row, cost: costOf(made) }
}

let [leastBilled, hangUps] = [Number.POSITIVE_INFINITY, 0]

function check({ row, cost }: Left, where: string): void {
  leastBilled = Math.min(leastBilled, Number(row.charged) / Number(cost))
  hangUps += 1
  assert.equal(row.status, 'settled', where)
  assert.ok(row.charged * 100n >= cost * 99n, `${where}: ${row.charged} for ${cost}`)
  assert.ok(row.charged <= row.held, `${where}: ${row.charged} of ${row.held}`)
}

for (const recorded of RECORDED_STREAMS) {
  describe(recorded.name, () => {
    test('costs at least what the upstream charges, wherever the caller hangs up', async () => {
      for (const at of sampleOf(placesIn(recorded), 4))
        check(await hangUp(recorded, at), `byte ${at}`)
    })

    test('is made, charged and replayed whole under a key, wherever the caller hangs up', async () => {
      bed.upstream.answerWith(
        ({ response }) =>
          void response
            .writeHead(200, { 'content-type': 'text/event-stream' })
            .end(recorded.events.join('')),
      )
      const undisturbed = await (await bed.post(bodyOf(recorded))).text()
      const before = bed.upstream.asked.length
      const places = sampleOf(placesIn(recorded), 4)
      for (const at of places) {
        const key = `${recorded.name} ${at}`.replaceAll(/\W/g, '-')
        check(await hangUp(recorded, at, key), `byte ${at}`)
        const again = await bed.post(bodyOf(recorded), { 'idempotency-key': key })
        assert.deepEqual(
          [
            await again.text(),
            again.headers.get('idempotency-replayed'),
            again.headers.get('x-charged-micros'),
          ],
          [undisturbed, 'true', '0'],
          `byte ${at}`,
        )
      }
      assert.equal(bed.upstream.asked.length, before + places.length)
    })
  })
}

test('wallet, transactions and the day agree on all of it, and the books balance', async (context) => {
  const charged = (await bed.posted()).reduce((sum, row) => sum + row.charged, 0n)
  assert.deepEqual(await bed.wallet(), { balance: startBalance - charged, held: 0n })
  const { rows } = await database.query<{ used: bigint }>(
    'select used_micros as used from inference_days where wallet_id = $1',
    [bed.walletId],
  )
  assert.equal(rows[0]?.used, charged)
  assert.ok(await bed.isSound())
  reportFigure(context, {
    what: `lowest charge for a response that its caller abandoned, relative to the upstream's charge (${hangUps} disconnects)`,
    measured: leastBilled.toFixed(3),
    must: '>= 0.99',
    isMet: leastBilled >= 0.99,
  })
})
