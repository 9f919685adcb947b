/** The money of the router while upstreams die and calls race; left-calls.db.test.ts has the callers who leave. */
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { describe, test } from 'node:test'
import { createKey } from '../../src/keys/create-key.ts'
import { countTokens } from '../../src/llm/tokens/count-tokens.ts'
import {
  completion,
  event,
  eventsOf,
  listOf,
  say,
  stream,
} from '../harness/vendors/model-upstream.ts'
import { sampleOf } from '../harness/sample.ts'
import { openRouterBed, UPSTREAM_TIMES } from '../harness/beds/router.ts'

const bed = await openRouterBed()
const { upstream } = bed
const MESSAGES = [{ role: 'user', content: 'Tell me of ledgers.' }]
const ASK = { model: 'maker/large', messages: MESSAGES, stream: true, max_tokens: 100 }
// Every word is one token, so the test can state the delivered count.
const WORDS = 'The ledger keeps every charge exact and gives the rest back when the answer ends'
  .split(' ')
  .map((word, place) => (place === 0 ? word : ` ${word}`))
const USAGE = { prompt_tokens: 11, completion_tokens: WORDS.length }
const PER_PROMPT = 4n
const PER_COMPLETION = 20n

const priceOf = (prompt: number, completionTokens: number): bigint =>
  BigInt(prompt) * PER_PROMPT + BigInt(completionTokens) * PER_COMPLETION

/** The caller's view of an ended stream. */
function contentOf(text: string): { words: string; errors: string[]; isDone: boolean } {
  const events = text
    .split('\n\n')
    .filter((one) => one.startsWith('data: '))
    .map((one) => one.slice(6))
  const parsed = events
    .filter((one) => one !== '[DONE]')
    .map(
      (one) =>
        JSON.parse(one) as {
          choices?: { delta?: { content?: string } }[]
          error?: { code: string; type: string }
        },
    )
  return {
    words: parsed.map(({ choices }) => choices?.[0]?.delta?.content ?? '').join(''),
    errors: parsed.flatMap(({ error }) => (error === undefined ? [] : [error.code])),
    isDone: events.at(-1) === '[DONE]',
  }
}

async function last(): Promise<NonNullable<Awaited<ReturnType<typeof bed.posted>>[0]>> {
  const row = (await bed.posted()).at(-1)
  assert.ok(row)
  return row
}

describe('a bill', () => {
  test('is what the upstream reports, by its tokens where it names no cost', async () => {
    upstream.answerWith((asked) => completion(asked, 'Yes.', USAGE))
    const answer = await bed.post({ ...ASK, stream: false })
    assert.equal(answer.headers.get('x-charged-micros'), String(priceOf(11, WORDS.length)))
    const { usage } = (await answer.json()) as { usage: { cost: number } }
    assert.equal(usage.cost, Number(priceOf(11, WORDS.length)) / 1_000_000)
    const [hop] = (await last()).hops ?? []
    assert.deepEqual(
      [hop?.metering, hop?.usage?.prompt_tokens, hop?.usage?.completion_tokens, hop?.action],
      ['reported', 11, WORDS.length, 'maker/large'],
    )
  })

  test('is the upstream’s own cost where it names one, rounded up to a micro-dollar', async () => {
    upstream.answerWith((asked) => completion(asked, 'Yes.', { ...USAGE, cost: 0.0001234 }))
    await bed.post({ ...ASK, stream: false })
    assert.equal((await last()).charged, 124n)
  })

  test('prices cached tokens as the list does', async () => {
    upstream.list = {
      data: [
        {
          id: 'maker/caching',
          pricing: { prompt: '0.000004', completion: '0.00002', input_cache_read: '0.0000004' },
        },
      ],
    }
    bed.world.now.advance(2 * 3_600_000)
    upstream.answerWith((asked) =>
      completion(asked, 'Yes.', {
        prompt_tokens: 1_000,
        completion_tokens: 10,
        prompt_tokens_details: { cached_tokens: 900 },
      }),
    )
    const found = await bed.router.directory.candidatesFor('maker/caching', 'live', {
      tools: false,
      images: false,
    })
    assert.equal(found.length, 1)
    await bed.post({ model: 'maker/caching', messages: MESSAGES })
    assert.equal((await last()).charged, 400n + 360n + 200n)
  })

  test('adds the listed price of each image to that of the tokens, within its hold', async () => {
    upstream.list = {
      data: [
        {
          id: 'maker/seeing',
          architecture: { input_modalities: ['text', 'image'] },
          pricing: { prompt: '0.000004', completion: '0.00002', image: '0.002' },
        },
      ],
    }
    bed.world.now.advance(2 * 3_600_000)
    upstream.answerWith((asked) =>
      completion(asked, 'Yes.', { prompt_tokens: 1_000, completion_tokens: 10 }),
    )
    const image = { type: 'image_url', image_url: { url: 'https://a.example/a.png' } }
    await bed.router.directory.candidatesFor('maker/seeing', 'live', { tools: false, images: true })
    await bed.post({
      model: 'maker/seeing',
      max_tokens: 10,
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'What are these?' }, image, image] },
      ],
    })
    const { charged, held } = await last()
    assert.equal(charged, 4_000n + 200n + 2n * 2_000n)
    assert.ok(held >= charged)
  })

  test('never exceeds the hold if the upstream reports more than a call can use', async () => {
    upstream.list = listOf()
    bed.world.now.advance(2 * 3_600_000)
    await bed.router.directory.candidatesFor('maker/small', 'live', { tools: false, images: false })
    upstream.answerWith((asked) =>
      completion(asked, 'Yes.', { prompt_tokens: 11, completion_tokens: 1_000_000_000 }),
    )
    await bed.post({ ...ASK, stream: false })
    const { charged, held } = await last()
    assert.ok(charged === held && held < 10_000n)
  })

  test('is counted and marked as estimated where nothing, or invalidSetting, is reported', async () => {
    for (const usage of [null, { prompt_tokens: -5, completion_tokens: 2 }]) {
      upstream.answerWith((asked) => stream(asked, eventsOf(WORDS, usage)))
      const text = await (
        await bed.post({ ...ASK, stream_options: { include_usage: true } })
      ).text()
      assert.match(text, /"estimated":true/)
      const { charged, hops } = await last()
      const [hop] = hops ?? []
      assert.equal(hop?.metering, 'estimated')
      assert.equal(hop?.usage?.completion_tokens, WORDS.length)
      assert.equal(hop?.usage?.prompt_tokens, countTokens('Tell me of ledgers.') + 7)
      assert.equal(charged, priceOf(hop?.usage?.prompt_tokens ?? 0, WORDS.length))
    }
  })

  test('is counted by the gateway if the upstream reports no tokens for delivered words', async () => {
    upstream.answerWith((asked) =>
      stream(asked, eventsOf(WORDS, { prompt_tokens: 11, completion_tokens: 0, cost: 0 })),
    )
    await (await bed.post(ASK)).text()
    const { charged, hops } = await last()
    assert.deepEqual(
      [hops?.[0]?.metering, charged],
      ['estimated', priceOf(countTokens('Tell me of ledgers.') + 7, WORDS.length)],
    )
  })

  test('of a prompt cached for an hour fits into the hold, at twice the price of the prompt', async () => {
    const text = 'What does the ledger keep? '.repeat(400)
    const heldFor = async (more: object): Promise<bigint> => {
      upstream.answerWith((asked) => completion(asked, 'Yes.', USAGE))
      await bed.post({ ...ASK, stream: false, max_tokens: 1, ...more })
      return (await last()).held
    }
    const kept = { cache_control: { type: 'ephemeral', ttl: '1h' } }
    const plain = await heldFor({ messages: [{ role: 'user', content: text }] })
    for (const more of [
      { messages: [{ role: 'user', content: [{ type: 'text', text, ...kept }] }] },
      { messages: [{ role: 'user', content: text, ...kept }] },
      { messages: [{ role: 'user', content: text }], ...kept },
    ]) {
      const held = await heldFor(more)
      assert.ok(held > (plain * 19n) / 10n && held < (plain * 22n) / 10n, `${held} of ${plain}`)
    }
    assert.ok(
      (await heldFor({
        messages: [
          { role: 'user', content: [{ type: 'text', text, cache_control: { type: 'ephemeral' } }] },
        ],
      })) <
        (plain * 11n) / 10n,
    )
  })

  test('is held for longer than its answer may take, and a stream for longer than all of it may', async () => {
    const { answerMs, streamMs } = UPSTREAM_TIMES
    for (const [isStream, longestMs] of [
      [false, answerMs],
      [true, answerMs + streamMs],
    ] as const) {
      const held = Promise.withResolvers<number>()
      upstream.answerWith((asked) => {
        void bed.world.database
          .query<{ deadline_ms: bigint }>('select deadline_ms from holds')
          .then(({ rows }) => {
            held.resolve(Number(rows[0]?.deadline_ms))
            if (isStream) stream(asked, eventsOf(WORDS, USAGE))
            else completion(asked, 'Yes.', USAGE)
          })
      })
      await (await bed.post({ ...ASK, stream: isStream })).text()
      assert.ok((await held.promise) > bed.world.now() + longestMs)
    }
  })

  test('is nothing for an answer of no tokens', async () => {
    upstream.answerWith((asked) =>
      completion(asked, '', { prompt_tokens: 11, completion_tokens: 0 }),
    )
    assert.equal((await bed.post({ ...ASK, stream: false })).headers.get('x-charged-micros'), '0')
  })
})

describe('an upstream that dies', () => {
  test('at any byte of its stream leaves a clean end and a bill for the delivered words', async () => {
    // Optional fields are omitted, so there are fewer bytes to break off at.
    const events = eventsOf(WORDS.slice(0, 3), { ...USAGE, completion_tokens: 3 }).map((one) =>
      one.replaceAll(/"(object|created|model|index)":[^,]+,/g, ''),
    )
    const bytes = Buffer.from(events.join(''))
    const finishedAt = Buffer.byteLength(events.slice(0, -2).join(''))
    const reportedAt = Buffer.byteLength(events.slice(0, -1).join(''))
    upstream.answerWith(({ response, body }) => {
      const at = Number(body['seed'])
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(bytes.subarray(0, at), () => response.destroy())
      if (at === 0) response.flushHeaders()
    })
    const places = sampleOf([...bytes.keys()], 4)
    const ask = async (at: number) => {
      const answer = await bed.post({ ...ASK, seed: at })
      return {
        at,
        status: answer.status,
        id: answer.headers.get('x-request-id'),
        text: await answer.text(),
      }
    }
    const answers: Awaited<ReturnType<typeof ask>>[] = []
    for (let start = 0; start < places.length; start += 50)
      answers.push(...(await Promise.all(places.slice(start, start + 50).map(ask))))
    const posted = new Map((await bed.posted()).map((row) => [`req_${row.id}`, row]))
    for (const { at, status, id, text } of answers) {
      const row = posted.get(id ?? '')
      if (status !== 200) {
        // Not one event was whole: nothing was sent, nothing is charged.
        assert.deepEqual([status, row?.charged, row?.status], [502, 0n, 'released'], `byte ${at}`)
        continue
      }
      const { words, errors, isDone } = contentOf(text)
      assert.ok(isDone, `byte ${at}: ${text}`)
      const delivered = words === '' ? 0 : words.split(' ').length
      const prompt = at >= reportedAt ? 11 : countTokens('Tell me of ledgers.') + 7
      assert.equal(row?.charged, delivered === 0 ? 0n : priceOf(prompt, delivered), `byte ${at}`)
      assert.deepEqual(errors, at >= finishedAt ? [] : ['upstream_error'], `byte ${at}`)
    }
    assert.equal((await bed.wallet()).held, 0n)
  })

  test('after its last word, with an end of the connection in place of the end mark, has answered', async () => {
    upstream.answerWith((asked) => stream(asked, eventsOf(WORDS, USAGE).slice(0, -1)))
    assert.deepEqual(contentOf(await (await bed.post(ASK)).text()).errors, [])
    upstream.answerWith((asked) => stream(asked, eventsOf(WORDS, null).slice(0, -1)))
    assert.deepEqual(contentOf(await (await bed.post(ASK)).text()).errors, [])
    upstream.answerWith((asked) => stream(asked, eventsOf(WORDS, null).slice(0, -2)))
    assert.deepEqual(contentOf(await (await bed.post(ASK)).text()).errors, ['upstream_error'])
  })

  test('with one of two answers complete and the other incomplete is reported as interrupted', async () => {
    const part = (index: number, content: string, reason: string | null = null): string =>
      event({ choices: [{ index, delta: { content }, finish_reason: reason }] })
    const ends = [part(0, 'Yes'), part(1, 'No'), part(0, '.', 'stop'), part(1, ', because')]
    upstream.answerWith((asked) => stream(asked, ends))
    assert.deepEqual(contentOf(await (await bed.post({ ...ASK, n: 2 })).text()).errors, [
      'upstream_error',
    ])
    upstream.answerWith((asked) => stream(asked, [...ends, part(1, '.', 'stop')]))
    assert.deepEqual(contentOf(await (await bed.post({ ...ASK, n: 2 })).text()).errors, [])
  })

  test('after counted tokens but before their words is interrupted; only words are billed', async () => {
    const [begin = '', ...rest] = eventsOf(WORDS, { ...USAGE, completion_tokens: 1 })
    const early = event({ choices: [], usage: { ...USAGE, completion_tokens: 1 } })
    for (const [words, charge] of [
      [0, 0n],
      [3, priceOf(countTokens('Tell me of ledgers.') + 7, 3)],
    ] as const) {
      upstream.answerWith((asked) => stream(asked, [begin, early, ...rest.slice(0, words)]))
      const text = await (await bed.post(ASK)).text()
      assert.deepEqual(
        [contentOf(text).errors, (await last()).charged],
        [['upstream_error'], charge],
      )
    }
  })

  test('with an error in mid-stream is cut off there, and its words are billed', async () => {
    upstream.answerWith((asked) =>
      stream(asked, [
        ...eventsOf(WORDS.slice(0, 4), null).slice(0, 5),
        event({ error: { code: 429, message: 'slow down upstream-secret-key' }, choices: [] }),
        say('never'),
      ]),
    )
    const text = await (await bed.post(ASK)).text()
    const { words, errors, isDone } = contentOf(text)
    assert.deepEqual([words, errors, isDone], [WORDS.slice(0, 4).join(''), ['upstream_busy'], true])
    assert.ok(!text.includes('upstream-secret-key') && !/nothing was charged/i.test(text))
    assert.equal((await last()).charged, priceOf(countTokens('Tell me of ledgers.') + 7, 4))
  })
})

test('a proxy that speaks HTTP/1.0 gets a stream to its end, without a trailer', async () => {
  upstream.answerWith((asked) => stream(asked, eventsOf(WORDS, USAGE)))
  const body = JSON.stringify(ASK)
  const answer = await new Promise<string>((resolve, reject) => {
    let read = ''
    const socket = connect(Number(new URL(bed.url).port), '127.0.0.1', () =>
      socket.write(
        `POST /api/llm/v1/chat/completions HTTP/1.0\r\nhost: x\r\nauthorization: Bearer ${bed.key}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
      ),
    )
    socket.on('data', (chunk) => (read += chunk.toString()))
    socket.on('error', reject)
    socket.on('end', () => resolve(read))
  })
  const [head = '', ...rest] = answer.split('\r\n\r\n')
  assert.match(head, /^HTTP\/1\.1 200/)
  assert.doesNotMatch(head, /trailer|transfer-encoding/i)
  assert.deepEqual(contentOf(rest.join('\r\n\r\n')), {
    words: WORDS.join(''),
    errors: [],
    isDone: true,
  })
  assert.equal((await last()).charged, priceOf(11, WORDS.length))
})

describe('a rejection for insufficient credit', () => {
  const ask = { ...ASK, max_tokens: undefined }
  type Refused = { readonly error: { readonly code: string; readonly fix: string } }

  /** That the answer of the length that the refusal names is covered, and one that is a token longer is not. */
  async function namesWhatIsCovered(key: string, code: string): Promise<void> {
    const { error } = (await (await bed.post(ask, {}, key)).json()) as Refused
    assert.equal(error.code, code)
    const covered = Number(/^Request at most (\d+) tokens/.exec(error.fix)?.[1])
    const longer = (await (
      await bed.post({ ...ask, max_completion_tokens: covered + 1 }, {}, key)
    ).json()) as Refused
    assert.equal(longer.error.code, code)
    upstream.answerWith((asked) => stream(asked, eventsOf(WORDS, USAGE)))
    const answered = await bed.post({ ...ask, max_tokens: covered }, {}, key)
    assert.equal(answered.status, 200)
    await answered.text()
  }

  test('names the longest answer that key limit, account credit and daily limit cover', async () => {
    const { caller, live } = await bed.world.account()
    const { key } = await createKey({ ...bed.world.keys }, caller, {
      label: 'small',
      ceiling_cents: 1,
      ceiling_period: 'day',
    })
    await namesWhatIsCovered(key, 'api_key_limit_exceeded')
    const { rows } = await bed.world.database.query<{ used_micros: bigint }>(
      'select used_micros from inference_days where wallet_id = $1',
      [caller.walletId],
    )
    await bed.world.database.query(
      'update inference_days set cap_micros = $2 where wallet_id = $1',
      [caller.walletId, (rows[0]?.used_micros ?? 0n) + 5_000n],
    )
    await namesWhatIsCovered(live.key, 'inference_daily_cap')
    const poor = await bed.world.account()
    await bed.world.call(poor.caller, { hold: '199.3' })
    await namesWhatIsCovered(poor.live.key, 'credits_required')
  })

  test('names no length where not even the prompt is covered', async () => {
    const { caller } = await bed.world.account()
    const { key } = await createKey({ ...bed.world.keys }, caller, {
      label: 'none',
      ceiling_cents: 0,
      ceiling_period: 'day',
    })
    const { error } = (await (await bed.post(ask, {}, key)).json()) as Refused
    assert.match(error.fix, /^Lower the cost/)
  })
})

describe('500 concurrent streams', () => {
  test('start seven times under a limit worth seven; the rest fail before the first byte', async () => {
    const account = await bed.world.account()
    upstream.answerWith((asked) => completion(asked, 'Yes.', USAGE))
    await bed.post({ ...ASK, stream: false }, {}, account.live.key)
    const [{ held: hold } = { held: 0n }] = await bed.posted(account.caller.walletId)
    const ceilingCents = Number((hold * 7n + 9_999n) / 10_000n)
    const most = (BigInt(ceilingCents) * 10_000n) / hold
    const { key } = await createKey({ ...bed.world.keys }, account.caller, {
      label: 'racer',
      ceiling_cents: ceilingCents,
      ceiling_period: 'day',
    })
    const decided = Promise.withResolvers<void>()
    let arrived = 0
    let refused = 0
    const check = (): void => {
      if (arrived + refused === 500) decided.resolve()
    }
    upstream.answerWith((asked) => {
      arrived += 1
      check()
      void decided.promise.then(() =>
        stream(asked, eventsOf(WORDS, { ...USAGE, completion_tokens: 100_000 })),
      )
    })
    const codes = await Promise.all(
      Array.from({ length: 500 }, async () => {
        const answer = await bed.post(ASK, { prefer: 'wait=0' }, key)
        if (answer.status !== 200) {
          refused += 1
          assert.equal(answer.headers.get('x-should-retry'), 'true')
          check()
        }
        const text = await answer.text()
        return answer.status === 200
          ? 'streamed'
          : (JSON.parse(text) as { error: { code: string } }).error.code
      }),
    )
    assert.equal(codes.filter((code) => code === 'streamed').length, Number(most))
    assert.equal(codes.filter((code) => code === 'room_held').length, 500 - Number(most))
    const caller = await bed.world.callerOf(key)
    const { rows } = await bed.world.database.query<{ day_spent: bigint; day_held: bigint }>(
      'select day_spent, day_held from budgets where id = $1',
      [caller.budgetId],
    )
    // Each cost more than was held for it, and the first to end take what seven holds left of the ceiling.
    assert.deepEqual([rows[0]?.day_spent, rows[0]?.day_held], [BigInt(ceilingCents) * 10_000n, 0n])
  })

  test('start within the daily limit; the other errors name its reset, overshoot 0', async () => {
    const account = await bed.world.account()
    const { walletId } = account.caller
    upstream.answerWith((asked) => completion(asked, 'Yes.', USAGE))
    await bed.post({ ...ASK, stream: false }, {}, account.live.key)
    const [first] = await bed.posted(walletId)
    assert.ok(first)
    const cap = first.held * 5n + first.charged
    await bed.world.database.query(
      'update inference_days set cap_micros = $2 where wallet_id = $1',
      [walletId, cap],
    )
    upstream.answerWith((asked) =>
      stream(asked, eventsOf(WORDS, { ...USAGE, completion_tokens: 100_000 })),
    )
    const answers = await Promise.all(
      Array.from({ length: 100 }, async () => {
        const answer = await bed.post(ASK, {}, account.live.key)
        await answer.text()
        return answer
      }),
    )
    const refused = answers.filter(({ status }) => status === 429)
    // One that ends takes what its answer cost beyond its hold before the next one begins.
    const served = answers.filter(({ status }) => status === 200).length
    assert.ok(
      served >= 1 && served <= 5 && served + refused.length === 100,
      `${served} served, ${refused.length} refused`,
    )
    const secondsLeft =
      (Math.ceil(bed.world.now() / 86_400_000) * 86_400_000 - bed.world.now()) / 1000
    for (const { headers } of refused)
      assert.deepEqual(
        [headers.get('retry-after'), headers.get('x-should-retry')],
        [String(secondsLeft), 'false'],
      )
    const { rows } = await bed.world.database.query<{ used_micros: bigint }>(
      'select used_micros from inference_days where wallet_id = $1',
      [walletId],
    )
    assert.deepEqual(rows[0], { used_micros: cap })
  })
})

test('the books balance after all of this', async () => assert.ok(await bed.isSound()))
