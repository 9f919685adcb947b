/** Errors of upstreams, as the official clients of each API receive them. */
import assert from 'node:assert/strict'
import Anthropic from '@anthropic-ai/sdk'
import { describe, test } from 'node:test'
import OpenAI from 'openai'
import { openRouterBed, upstreamAt } from '../harness/beds/router.ts'
import { say, stream, type Asked } from '../harness/vendors/model-upstream.ts'

const RATES = { prompt: 1_000_000n, completion: 1_000_000n, overrides: [] }
const own = (upstream: string) => ({
  upstream,
  upstreamModel: 'm',
  rates: RATES,
  contextLength: null,
})
const bed = await openRouterBed({
  upstreams: (url, dispatcher) => [
    upstreamAt('llm', url, dispatcher),
    upstreamAt('native', url, dispatcher, { wires: new Set(['chat', 'messages', 'responses']) }),
  ],
  models: new Map([
    ['converted', own('llm')],
    ['native', own('native')],
  ]),
})
const openai = new OpenAI({ baseURL: bed.url, apiKey: bed.key, maxRetries: 0 })
const anthropic = new Anthropic({
  baseURL: bed.url.replace(/\/v1$/, ''),
  apiKey: bed.key,
  maxRetries: 0,
})
const MESSAGES = [{ role: 'user' as const, content: 'Hello.' }]

const CALLS = {
  chat: (model: string, stream: boolean) =>
    openai.chat.completions.create({ model, stream, messages: MESSAGES }),
  completions: (model: string, stream: boolean) =>
    openai.completions.create({ model, stream, prompt: 'Hello.' }),
  responses: (model: string, stream: boolean) =>
    openai.responses.create({ model, stream, input: 'Hello.' }),
  messages: (model: string, stream: boolean) =>
    anthropic.messages.create({ model, stream, max_tokens: 100, messages: MESSAGES }),
}
type Wire = keyof typeof CALLS
const WIRES = Object.keys(CALLS) as Wire[]

type Failure = { status: number; code: unknown; message: string; type: unknown; name: string }

/** Makes the call of a client on both kinds of upstreams, whole and streamed, and expects failures. */
async function failures(wire: Wire): Promise<Failure[]> {
  const found: Failure[] = []
  for (const model of ['converted', 'native'])
    for (const isStream of [false, true]) {
      const failure: unknown = await CALLS[wire](model, isStream).then(
        () => assert.fail('no failure'),
        (error: unknown) => error,
      )
      assert.ok(failure instanceof OpenAI.APIError || failure instanceof Anthropic.APIError)
      const body = failure.error as { error?: Failure } & Failure
      const { code, message, type } = body.error ?? body
      const { name } = failure.constructor
      found.push({ status: Number(failure.status), code, message, type, name })
    }
  return found
}

function answerWith(status: number, body: unknown): void {
  bed.upstream.answerWith(({ response }) =>
    response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(typeof body === 'string' ? body : JSON.stringify(body)),
  )
}

const TOO_LONG =
  "This model's maximum context length is 128000 tokens. However, your messages resulted in 140210 tokens."

describe('a rejected request', () => {
  for (const wire of WIRES)
    test(`keeps the status and the words of the upstream on ${wire}`, async () => {
      for (const [status, name] of [
        [400, 'BadRequestError'],
        [404, 'NotFoundError'],
        [413, wire === 'messages' ? 'ContentTooLargeError' : 'APIError'],
        [422, 'UnprocessableEntityError'],
      ] as const) {
        answerWith(status, { error: { message: 'tool 3 is odd', code: 'odd_tool', param: 'x' } })
        for (const failure of await failures(wire)) {
          assert.deepEqual([failure.status, failure.code, failure.name], [status, 'odd_tool', name])
          assert.match(failure.message, /tool 3 is odd/)
        }
      }
      answerWith(418, { error: { message: 'a teapot' } })
      for (const failure of await failures(wire)) {
        assert.deepEqual([failure.status, failure.code], [400, 'upstream_rejected'])
        assert.match(failure.message, /a teapot/)
      }
    })

  for (const [form, body] of Object.entries({
    openai: { error: { message: TOO_LONG, code: 'context_length_exceeded', type: 'x' } },
    vllm: { object: 'error', message: TOO_LONG, type: 'BadRequestError', code: 400 },
    llamaCpp: { error: { code: 400, message: TOO_LONG, type: 'exceed_context_size_error' } },
    ollama: { error: TOO_LONG },
    google: [{ error: { code: 400, message: TOO_LONG, status: 'INVALID_ARGUMENT' } }],
    fastapi: { detail: TOO_LONG },
    openrouter: {
      error: {
        code: 400,
        message: 'Provider returned error',
        metadata: { raw: JSON.stringify({ error: { message: TOO_LONG } }), provider_name: 'p' },
      },
    },
  }))
    test(`reports a prompt that is too long as clients act on it, from ${form}`, async () => {
      answerWith(400, body)
      for (const wire of WIRES)
        for (const { status, code, message } of await failures(wire)) {
          assert.deepEqual([status, code], [400, 'context_length_exceeded'], wire)
          assert.ok(message.includes(TOO_LONG), message)
          if (wire === 'messages')
            assert.match(message, /prompt is too long: 140210 tokens > 128000 maximum/)
        }
    })

  test('reports a limit beyond the context in the words that Claude Code repairs', async () => {
    for (const words of [
      "This model's maximum context length is 8192 tokens. However, you requested 32100 tokens (100 in the messages, 32000 in the completion).",
      "Requested token count exceeds the model's maximum context length of 8192 tokens. You requested a total of 32100 tokens: 100 tokens from the input messages and 32000 tokens for the completion.",
      "'max_tokens' is too large: 32000. This model's maximum context length is 8192 tokens and your request has 100 input tokens (32000 > 8192 - 100).",
    ]) {
      answerWith(400, { error: { message: words } })
      for (const { message } of await failures('messages'))
        assert.match(
          message,
          /input length and `max_tokens` exceed context limit: 100 \+ 32000 > 8192/,
        )
    }
  })

  test('passes the words of Anthropic for a prompt that is too long unchanged', async () => {
    const words = 'prompt is too long: 214676 tokens > 200000 maximum'
    answerWith(400, { type: 'error', error: { type: 'invalid_request_error', message: words } })
    for (const { status, type, message } of await failures('messages')) {
      assert.deepEqual([status, type], [400, 'invalid_request_error'])
      assert.equal(message.split(words).length, 2, message)
    }
  })

  for (const [form, body] of Object.entries({
    text: { detail: 'field x is odd' },
    list: { detail: [{ type: 't', loc: ['body', 'x'], msg: 'field x is odd' }] },
    object: { detail: { message: 'field x is odd' } },
    mistral: { object: 'error', message: { detail: [{ loc: ['x'], msg: 'field x is odd' }] } },
    errors: { errors: [{ message: 'field x is odd' }] },
  }))
    test(`reports the reason in the form of FastAPI and others: ${form}`, async () => {
      answerWith(400, body)
      for (const wire of WIRES)
        for (const { message } of await failures(wire)) assert.match(message, /field x is odd/)
    })

  test('without words, or with a page, explains itself and is a 400', async () => {
    for (const body of ['', '<html>400</html>', 'null', '[]', '{"error":{"message":{}}}']) {
      answerWith(400, body)
      for (const { status, message } of await failures('chat')) {
        assert.equal(status, 400)
        assert.match(message, /rejected this request/)
      }
    }
  })

  test('is never charged', async () => {
    for (const { status, charged } of await bed.posted())
      assert.deepEqual([status, charged], ['released', 0n])
    assert.equal((await bed.wallet()).held, 0n)
  })
})

describe('an error about the account of the operator', () => {
  for (const [what, status, error] of [
    ['a wrong key', 401, { message: 'Incorrect API key provided: sk-proj-ab12****cd34' }],
    ['no access', 403, { message: 'Project proj_abc12345 has no access to m' }],
    ['no credit', 402, { message: 'Insufficient balance of org-abc12345' }],
    ['a quota', 429, { message: 'You exceeded your quota', code: 'insufficient_quota' }],
    [
      'no credit as 400',
      400,
      {
        type: 'invalid_request_error',
        message: 'Your credit balance is too low to access the Anthropic API. See acct_12345678',
      },
    ],
    ['a wrong key as 400', 400, { code: 400, message: 'API key not valid: key-12345678' }],
    ['a disabled account', 400, { message: 'This organization has been disabled: org-abc12345' }],
  ] as const)
    test(`is not the fault of the caller and leaks nothing: ${what}`, async () => {
      answerWith(status, { error })
      for (const wire of WIRES)
        for (const { status: shown, code, message } of await failures(wire)) {
          assert.ok(shown >= 500, `${wire}: ${shown}`)
          assert.match(String(code), /^upstream_(?:payment|not_configured)$/)
          assert.doesNotMatch(message, /credit balance|API key|quota|organization/)
        }
      const whole = await (await bed.post({ model: 'converted', messages: MESSAGES })).text()
      assert.doesNotMatch(whole, /12345678|ab12|abc12345/)
    })

  test('of the rate limit of the operator can be retried, without its organization', async () => {
    answerWith(429, { error: { message: 'Rate limit of org-abc12345', type: 'rate_limit_error' } })
    for (const wire of WIRES)
      for (const { status, code } of await failures(wire))
        assert.deepEqual([status, code], [503, 'upstream_busy'])
    const whole = await (await bed.post({ model: 'converted', messages: MESSAGES })).text()
    assert.doesNotMatch(whole, /abc12345/)
  })
})

const named = (type: string, fields: object): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`
const HEAD = { id: 'resp_1', object: 'response', status: 'in_progress', output: [] }

/** A stream of the API that the request names, which ends with an error after its first event. */
function failInStream(error: { readonly code: string | number; readonly message: string }): void {
  const { code, message } = error
  bed.upstream.answerWith((asked: Asked) => {
    if (asked.path.endsWith('/responses'))
      stream(asked, [
        named('response.created', { response: HEAD, sequence_number: 0 }),
        named('response.failed', {
          response: { ...HEAD, status: 'failed', error: { code, message } },
          sequence_number: 1,
        }),
      ])
    else if (asked.path.endsWith('/messages'))
      stream(asked, [
        named('message_start', { message: { id: 'm', usage: { input_tokens: 1 } } }),
        named('error', { error: { type: 'error', code, message } }),
      ])
    else stream(asked, [say(''), `data: ${JSON.stringify({ error: { code, message } })}\n\n`])
  })
}

/** The error in the last events of a stream. */
async function lastError(wire: Wire, model: string): Promise<{ code: unknown; message: string }> {
  const paths = { chat: '/chat/completions' } as Partial<Record<Wire, string>>
  const more =
    wire === 'responses'
      ? { input: 'Hello.' }
      : wire === 'completions'
        ? { prompt: 'Hello.' }
        : { max_tokens: 100, messages: MESSAGES }
  const answer = await bed.postTo(paths[wire] ?? `/${wire}`, { model, stream: true, ...more })
  assert.equal(answer.status, 200)
  const events = (await answer.text())
    .split('\n')
    .filter((row) => row.startsWith('data: {'))
    .map(
      (row) => JSON.parse(row.slice(6)) as { error?: object; response?: { error?: object | null } },
    )
  const found = events.map(({ error, response }) => error ?? response?.error).find((one) => one)
  return (found ?? assert.fail('no error')) as { code: unknown; message: string }
}

describe('an error in the middle of a stream', () => {
  for (const wire of WIRES)
    test(`keeps its code and words on ${wire}`, async () => {
      for (const model of ['converted', 'native']) {
        failInStream({ code: 'context_length_exceeded', message: 'Your input is long.' })
        const overflow = await lastError(wire, model)
        assert.equal(overflow.code, 'context_length_exceeded')
        assert.match(overflow.message, /Your input is long\./)
        if (wire === 'messages') assert.match(overflow.message, /prompt is too long/)
        failInStream({ code: 502, message: 'provider lost its worker' })
        const lost = await lastError(wire, model)
        assert.equal(lost.code, 'upstream_error')
        assert.match(lost.message, /provider lost its worker/)
        failInStream({ code: 'server_error', message: 'model crashed' })
        const crashed = await lastError(wire, model)
        assert.equal(crashed.code, 'server_error')
        assert.match(crashed.message, /model crashed/)
      }
    })

  test('about the account of the operator is not passed on', async () => {
    for (const wire of WIRES)
      for (const model of ['converted', 'native']) {
        failInStream({ code: 'insufficient_quota', message: 'You exceeded your current quota' })
        const { code, message } = await lastError(wire, model)
        assert.equal(code, 'upstream_payment')
        assert.doesNotMatch(message, /quota/)
      }
  })

  test('is not charged before a word', async () => {
    assert.ok((await bed.posted()).every(({ charged }) => charged === 0n))
    assert.ok(await bed.isSound())
  })
})
