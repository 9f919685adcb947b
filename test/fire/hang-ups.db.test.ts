/** Many callers on two processes who disconnect at random bytes: their total charge against the upstream's. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EventFilter } from '../../src/llm/stream/event-filter.ts'
import { openLeavingCaller } from '../harness/clients/leaving-caller.ts'
import { startModelServer, type Asked } from '../harness/vendors/model-upstream.ts'
import {
  PROMPT_TOKENS,
  RECORDED_MODELS,
  RECORDED_STREAMS,
  type RecordedStream,
} from '../harness/vendors/recorded-streams.ts'
import { openFireBed } from './bed.ts'

const CALLS = 300
const AT_ONCE = 50
const SEED = Number(process.env['PROPERTY_SEED'] ?? 20_261_123)
const bed = await openFireBed()
const upstream = await startModelServer()
upstream.list = RECORDED_MODELS
// Where the answer is cancelled and nothing is reported, the charge is an estimate: the upstream may have made more on its way.
const STREAMS = RECORDED_STREAMS.filter(
  ({ canThink, recordedAs }) => canThink || recordedAs !== undefined,
)

/** Numbers below `most` that look random and are the same in every run. */
function createDice(seed: number): (most: number) => number {
  let state = seed >>> 0
  return (most) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * most)
  }
}

type Planned = {
  readonly recorded: RecordedStream
  readonly events: readonly string[]
  readonly passing: string
  readonly readBytes: number
  readonly idempotencyKey: string | undefined
  readonly body: object
}

function plan(dice: (most: number) => number, number: number): Planned {
  const recorded = STREAMS[dice(STREAMS.length)] ?? assert.fail()
  const events = recorded.events.map((one) => one.replaceAll('"gen-1"', `"gen-${number}"`))
  const passing = (
    new EventFilter().push(Buffer.from(events.join(''))) ?? Buffer.alloc(0)
  ).toString()
  const body = {
    model: recorded.model,
    messages: [{ role: 'user', content: 'The ledger keeps every charge.' }],
    stream: true,
    max_tokens: 1_100,
    seed: number,
    ...recorded.body,
  }
  return {
    recorded,
    events,
    passing,
    readBytes: dice(Buffer.byteLength(passing) + 1),
    idempotencyKey: dice(2) === 0 ? `call-${number}` : undefined,
    body,
  }
}

test(`${CALLS} callers who hang up at random bytes together pay what the upstream charges`, async () => {
  const gateways = await Promise.all(
    [1, 2].map(() =>
      bed.start({ UPSTREAM_LLM_URL: upstream.url, UPSTREAM_LLM_KEY: 'upstream-secret-key' }),
    ),
  )
  const account = await bed.account('100000')
  const dice = createDice(SEED)
  const calls = Array.from({ length: CALLS }, (_, number) => plan(dice, number))
  let cost = 0n
  upstream.answerWith(async ({ response, body }: Asked) => {
    const number = Number(body['seed'])
    const { recorded, events } = calls[number] ?? assert.fail()
    upstream.records.set(`gen-${number}`, { status: 404, body: { error: { code: 404 } } })
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    let sent = 0
    for (; sent < events.length && !response.destroyed; sent += 1) {
      response.write(events[sent])
      await new Promise((turn) => setImmediate(turn))
    }
    response.end()
    const made =
      sent === events.length
        ? recorded.completionTokens
        : recorded.tokens.slice(0, sent).reduce((sum, one) => sum + one, 0)
    cost += BigInt(PROMPT_TOKENS) * 4n + BigInt(made) * 20n
    upstream.records.set(`gen-${number}`, {
      status: 200,
      body: {
        data: {
          native_tokens_prompt: PROMPT_TOKENS,
          native_tokens_completion: made,
          native_tokens_reasoning: made - recorded.tokens.reduce((sum, one) => sum + one, 0),
        },
      },
    })
  })

  const urlOf = (number: number): string => `${gateways[number % gateways.length]?.url}/api/llm/v1`
  for (let start = 0; start < CALLS; start += AT_ONCE) {
    await Promise.all(
      calls
        .slice(start, start + AT_ONCE)
        .map(async ({ body, readBytes, idempotencyKey }, place) => {
          const caller = openLeavingCaller(
            { url: urlOf(start + place), key: account.key },
            { body, idempotencyKey },
          )
          await caller.received(readBytes)
          await caller.leave()
        }),
    )
  }
  await bed.nothingHeld()

  const { rows: sums } = await bed.database.query<{ charged: bigint }>(
    "select sum(-amount_micros)::bigint as charged from transactions where kind = 'llm'",
  )
  const charged = sums[0]?.charged ?? 0n
  assert.equal(charged, 1_000_000_000n - (await account.wallet()).balance)
  assert.ok(charged * 100n >= cost * 99n, `${charged} for ${cost}`)
  const { rows } = await bed.database.query<{ used: bigint }>(
    'select sum(used_micros)::bigint as used from inference_days',
  )
  assert.equal(rows[0]?.used, charged)

  const asked = upstream.asked.length
  for (const [number, { body, idempotencyKey, passing }] of calls.entries()) {
    if (idempotencyKey === undefined) continue
    const again = await fetch(`${urlOf(number + 1)}/chat/completions`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${account.key}`,
        'content-type': 'application/json',
        'idempotency-key': idempotencyKey,
      },
      body: JSON.stringify(body),
    })
    const text = await again.text()
    // One that left before its request was read was never asked.
    if (again.headers.get('idempotency-replayed') === null) continue
    assert.ok(
      text.startsWith(passing) && text.endsWith('data: [DONE]\n\n') && !text.includes('"error"'),
      `call ${number}: ${text}`,
    )
  }
  assert.ok(
    upstream.asked.length - asked <=
      calls.filter(
        ({ readBytes, idempotencyKey }) => readBytes === 0 && idempotencyKey !== undefined,
      ).length,
  )
  await bed.assertSound()
})
