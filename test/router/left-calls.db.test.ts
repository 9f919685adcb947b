/** Callers who leave: their charge, the replay of their key, and the requests to the upstream. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { countTokens } from '../../src/llm/tokens/count-tokens.ts'
import {
  ask,
  HIDDEN,
  LIST,
  priceOf,
  PROMPT_TOKENS,
  start,
  WORDS,
} from '../harness/clients/left-calls.ts'
import { openLeavingCaller } from '../harness/clients/leaving-caller.ts'
import {
  completion,
  event,
  eventsOf,
  say,
  stream,
  type Asked,
} from '../harness/vendors/model-upstream.ts'
import {
  openRouterBed,
  UPSTREAM_TIMES,
  type Posted,
  type RouterBed,
} from '../harness/beds/router.ts'

const bed = await openRouterBed()
bed.upstream.list = LIST
const silent = await openRouterBed({
  times: {
    ...UPSTREAM_TIMES,
    firstByteMs: 300,
    answerMs: 300,
    idleMs: 300,
    streamMs: 300,
    usageMs: 300,
  },
})
silent.upstream.list = LIST

async function rowAfter(on: RouterBed, count: number): Promise<Posted> {
  const row = (await on.postedCount(count + 1))[count]
  assert.ok(row)
  assert.equal((await on.wallet()).held, 0n)
  return row
}

/** Sends the request, reads `first` from the upstream, disconnects, and lets the upstream continue with `rest`, if any. */
async function leaveAfter(
  first: readonly string[],
  rest: readonly string[] | null,
  call: { readonly body: object; readonly idempotencyKey?: string },
): Promise<Posted> {
  const before = (await bed.posted()).length
  const asked = Promise.withResolvers<Asked>()
  bed.upstream.answerWith((one) => {
    start(one, first)
    asked.resolve(one)
  })
  const caller = openLeavingCaller(bed, call)
  const { response } = await asked.promise
  await caller.received(Buffer.byteLength(first.join('')))
  await caller.leave()
  if (rest !== null) response.end(rest.join(''))
  return rowAfter(bed, before)
}

describe('a stream that its caller leaves', () => {
  const events = eventsOf(WORDS, HIDDEN)
  const finishedAt = events.length - 2

  test('at its finish reason costs what the upstream reports afterwards, hidden tokens and all', async () => {
    for (const model of ['plain/one', 'thinking/one', 'unknown/one']) {
      const row = await leaveAfter(events.slice(0, finishedAt), events.slice(finishedAt), {
        body: ask(model),
      })
      assert.deepEqual(
        [row.charged, row.hops?.[0]?.metering, row.status],
        [priceOf(11, 505), 'reported', 'settled'],
        model,
      )
    }
  })

  test('is read on to its usage if the model can think or its list is silent about it', async () => {
    for (const model of ['thinking/one', 'unknown/one']) {
      for (const at of [1, 3])
        assert.equal(
          (await leaveAfter(events.slice(0, at), events.slice(at), { body: ask(model) })).charged,
          priceOf(11, 505),
          `${model} ${at}`,
        )
    }
  })

  test('earlier is cancelled and charged by its words, where the model cannot think', async () => {
    const { charged, hops } = await leaveAfter(events.slice(0, 3), null, { body: ask('plain/two') })
    assert.deepEqual(
      [charged, hops?.[0]?.metering, hops?.[0]?.ok],
      [priceOf(PROMPT_TOKENS, 2), 'estimated', false],
    )
  })

  test('with a key is completed, charged once and replayed as if the caller had stayed', async () => {
    const body = ask('plain/one', { stream_options: { include_usage: true } })
    bed.upstream.answerWith((one) => stream(one, events))
    const undisturbed = await (await bed.post(body)).text()
    for (const at of [1, 3, finishedAt]) {
      const key = `left at ${at}`.replaceAll(' ', '-')
      const before = bed.upstream.asked.length
      assert.equal(
        (await leaveAfter(events.slice(0, at), events.slice(at), { body, idempotencyKey: key }))
          .charged,
        priceOf(11, 505),
      )
      for (let time = 0; time < 2; time += 1) {
        const again = await bed.post(body, { 'idempotency-key': key })
        assert.deepEqual(
          [
            await again.text(),
            again.headers.get('idempotency-replayed'),
            again.headers.get('x-charged-micros'),
          ],
          [undisturbed, 'true', '0'],
        )
      }
      assert.equal(bed.upstream.asked.length, before + 1)
    }
  })

  test('with a key falls back as though the caller had stayed', async () => {
    const before = (await bed.posted()).length
    const first = Promise.withResolvers<Asked>()
    const tiers = await openRouterBed({
      tiers: new Map([['core/cheap', ['plain/one', 'thinking/one']]]),
    })
    tiers.upstream.list = LIST
    tiers.upstream.answerWith((one) =>
      one.model === 'plain/one' ? first.resolve(one) : stream(one, events),
    )
    const caller = openLeavingCaller(tiers, {
      body: ask('core/cheap'),
      idempotencyKey: 'falls-back',
    })
    const { response } = await first.promise
    await caller.leave()
    response.writeHead(500).end()
    assert.equal((await rowAfter(tiers, 0)).charged, priceOf(11, 505))
    assert.match(
      await (await tiers.post(ask('core/cheap'), { 'idempotency-key': 'falls-back' })).text(),
      /ledger/,
    )
    assert.deepEqual([tiers.upstream.asked.length, (await bed.posted()).length], [2, before])
  })

  test('with a key breaks off as it would have done had the caller stayed', async () => {
    const body = ask('thinking/one')
    bed.upstream.answerWith((one) => stream(one, events.slice(0, 3)))
    const undisturbed = await (await bed.post(body)).text()
    const { charged } = await leaveAfter(events.slice(0, 3), [], { body, idempotencyKey: 'broken' })
    assert.equal(charged, priceOf(PROMPT_TOKENS, 2))
    assert.equal(await (await bed.post(body, { 'idempotency-key': 'broken' })).text(), undisturbed)
  })

  test('costs the counted prompt when it is left before the first event', async () => {
    const content = 'word '.repeat(20_000)
    const tokens = countTokens(content) + 7
    const body = { ...ask('plain/two', { max_tokens: 1 }), messages: [{ role: 'user', content }] }
    for (const leavesFirst of [false, true]) {
      const before = (await bed.posted()).length
      const asked = Promise.withResolvers<Asked>()
      bed.upstream.answerWith((one) => {
        if (!leavesFirst)
          one.response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
        asked.resolve(one)
      })
      const caller = openLeavingCaller(bed, { body })
      const one = await asked.promise
      await caller.leave()
      if (leavesFirst)
        one.response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
      await one.closed
      const { charged, status } = await rowAfter(bed, before)
      assert.deepEqual([charged, status], [priceOf(tokens, 0), 'settled'])
    }
    const { rows } = await bed.world.database.query<{ used: bigint; charged: bigint }>(
      "select used_micros as used, (select sum(-amount_micros)::bigint from transactions where kind = 'llm') as charged from inference_days where wallet_id = $1",
      [bed.walletId],
    )
    assert.equal(rows[0]?.used, rows[0]?.charged)
  })

  test('is free if the upstream rejects it, and calls no other model for an absent caller', async () => {
    const tiers = await openRouterBed({
      tiers: new Map([['core/cheap', ['plain/one', 'thinking/one']]]),
    })
    tiers.upstream.list = LIST
    const first = Promise.withResolvers<Asked>()
    tiers.upstream.answerWith((one) => first.resolve(one))
    const caller = openLeavingCaller(tiers, { body: ask('core/cheap') })
    const { response } = await first.promise
    await caller.leave()
    response.writeHead(500).end()
    const row = await rowAfter(tiers, 0)
    assert.deepEqual(
      [row.status, row.charged, row.error_code, tiers.upstream.asked.length],
      ['released', 0n, 'caller_gone', 1],
    )
  })
})

describe('an answer of which no usage arrives', () => {
  const unreported = eventsOf(WORDS.slice(0, 2), null)

  test('is charged by the upstream’s record of the generation, however late the record is', async () => {
    const { records, recordRequests } = bed.upstream
    const record = {
      native_tokens_prompt: 11,
      native_tokens_completion: 302,
      native_tokens_reasoning: 300,
      total_cost: 0.006084,
    }
    for (const [model, rest] of [
      ['plain/two', null],
      ['thinking/one', unreported.slice(2)],
    ] as const) {
      recordRequests.length = 0
      records.set('gen-1', {
        status: 404,
        body: { error: { code: 404, message: 'Generation gen-1 not found' } },
      })
      const charged = leaveAfter(unreported.slice(0, 2), rest, { body: ask(model) })
      while (recordRequests.length < 3) await new Promise((turn) => setImmediate(turn))
      records.set('gen-1', { status: 200, body: { data: { id: 'gen-1', ...record } } })
      const row = await charged
      assert.deepEqual([row.charged, row.hops?.[0]?.metering], [6_084n, 'reported'], model)
    }
    records.clear()
  })

  test('counts the mean of the model’s last hidden tokens and never costs more than its hold', async () => {
    const fresh = await openRouterBed()
    fresh.upstream.list = LIST
    for (const reasoning of [400, 600]) {
      fresh.upstream.answerWith((one) =>
        stream(
          one,
          eventsOf(WORDS, {
            prompt_tokens: 11,
            completion_tokens: 5 + reasoning,
            completion_tokens_details: { reasoning_tokens: reasoning },
          }),
        ),
      )
      await (await fresh.post(ask('thinking/one'))).text()
    }
    fresh.upstream.answerWith((one) => stream(one, unreported))
    const answer = await fresh.post(
      ask('thinking/one', { stream_options: { include_usage: true } }),
    )
    assert.match(await answer.text(), /"completion_tokens":502,/)
    assert.equal((await fresh.posted()).at(-1)?.charged, priceOf(PROMPT_TOKENS, 2 + 500))
    await (await fresh.post(ask('thinking/one', { max_tokens: 100 }))).text()
    const { charged, held } = (await fresh.posted()).at(-1) ?? assert.fail()
    assert.equal(charged, held)
  })

  test('though a finish reason passed ends when its time is up', async () => {
    const row = (await silent.posted()).length
    silent.upstream.answerWith((one) => start(one, unreported.slice(0, -1)))
    const text = await (await silent.post(ask('plain/one'))).text()
    assert.ok(text.endsWith('data: [DONE]\n\n') && !text.includes('error'))
    assert.equal((await rowAfter(silent, row)).charged, priceOf(PROMPT_TOKENS, 2))
  })
})

describe('an upstream that falls silent', () => {
  test('after its caller left is waited for as long as for any caller, and its prompt is charged', async () => {
    for (const headOnly of [true, false]) {
      const before = (await silent.posted()).length
      const asked = Promise.withResolvers<Asked>()
      silent.upstream.answerWith((one) => {
        if (headOnly) one.response.writeHead(200).flushHeaders()
        else start(one, eventsOf(WORDS, null).slice(0, 1))
        asked.resolve(one)
      })
      const caller = openLeavingCaller(silent, { body: ask('thinking/one') })
      await asked.promise
      await caller.leave()
      const row = await rowAfter(silent, before)
      assert.deepEqual(
        [row.charged, row.status],
        [priceOf(PROMPT_TOKENS, 0), 'settled'],
        String(headOnly),
      )
    }
  })

  test('or never comes to an end, holds a stream no longer than its time', async () => {
    const before = (await silent.posted()).length
    silent.upstream.answerWith((one) => {
      start(one, [
        event({ choices: [{ index: 0, delta: { role: 'assistant' }, finish_reason: null }] }),
      ])
      const timer = setInterval(() => one.response.write(say(' on')), 5)
      void one.closed.then(() => clearInterval(timer))
    })
    const caller = openLeavingCaller(silent, {
      body: ask('thinking/one'),
      idempotencyKey: 'endless',
    })
    await caller.received(1)
    await caller.leave()
    const row = await rowAfter(silent, before)
    assert.ok(
      row.charged > priceOf(PROMPT_TOKENS, 2) && row.charged <= row.held,
      String(row.charged),
    )
    assert.match(
      await (await silent.post(ask('thinking/one'), { 'idempotency-key': 'endless' })).text(),
      /upstream_timeout[^]*\[DONE\]/,
    )
  })
})

describe('a whole answer whose caller leaves', () => {
  const body = { ...ask('plain/one'), stream: false }

  async function leaveWhole(idempotencyKey?: string): Promise<Posted> {
    const before = (await bed.posted()).length
    const asked = Promise.withResolvers<Asked>()
    bed.upstream.answerWith((one) => asked.resolve(one))
    const caller = openLeavingCaller(bed, { body, idempotencyKey })
    const one = await asked.promise
    await caller.leave()
    completion(one, 'Exact.', HIDDEN)
    return rowAfter(bed, before)
  }

  test('is charged as the upstream reports it, with a key or without', async () => {
    assert.deepEqual(
      [(await leaveWhole()).charged, (await leaveWhole('whole')).charged],
      [priceOf(11, 505), priceOf(11, 505)],
    )
  })

  test('is replayed under its key with one upstream request', async () => {
    const before = bed.upstream.asked.length
    await leaveWhole('whole-again')
    const again = await bed.post(body, { 'idempotency-key': 'whole-again' })
    assert.deepEqual(
      [
        again.headers.get('idempotency-replayed'),
        ((await again.json()) as { choices: { message: { content: string } }[] }).choices[0]
          ?.message.content,
      ],
      ['true', 'Exact.'],
    )
    assert.equal(bed.upstream.asked.length, before + 1)
  })

  test('costs the prompt when the upstream accepted it and then broke off', async () => {
    const before = (await bed.posted()).length
    const asked = Promise.withResolvers<Asked>()
    bed.upstream.answerWith((one) => {
      one.response.writeHead(200, { 'content-type': 'application/json' }).write('{"id":')
      asked.resolve(one)
    })
    const caller = openLeavingCaller(bed, { body: { ...body, model: 'plain/three' } })
    const { response } = await asked.promise
    await caller.leave()
    response.destroy()
    assert.equal((await rowAfter(bed, before)).charged, priceOf(PROMPT_TOKENS, 0))
  })
})

describe('a caller that stops reading', () => {
  const LONG = ' word'.repeat(20_000)
  // More than the sockets between take, so that the gateway stops reading the upstream.
  const many = [eventsOf([], null)[0] ?? '', ...Array.from({ length: 200 }, () => say(LONG))]
  const last = eventsOf(WORDS, { ...HIDDEN, completion_tokens: 900 }).slice(-3)

  test('and then leaves pays as much as after an immediate departure', async () => {
    const before = (await bed.posted()).length
    const paused = Promise.withResolvers<void>()
    bed.upstream.answerWith(async ({ response }) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      for (const one of many) {
        if (response.write(one)) continue
        paused.resolve()
        await new Promise((drained) => response.once('drain', drained))
      }
      response.end(last.join(''))
    })
    const caller = openLeavingCaller(bed, { body: ask('thinking/one') })
    await caller.received(1)
    caller.stopReading()
    await paused.promise
    await caller.leave()
    assert.equal((await rowAfter(bed, before)).charged, priceOf(11, 900))
  })
})

test('the books balance after all of this', async () =>
  assert.ok((await bed.isSound()) && (await silent.isSound())))
