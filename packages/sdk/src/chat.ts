/** Chat completions of the router. */
import type {
  ChatChunk,
  ChatCompletion,
  ChatRequest,
  ChatStream,
  ChatUsage,
  StreamOptions,
} from './chat-types.ts'
import { readEventStream } from './event-stream.ts'
import { retryDelayMs } from './retry-delay.ts'
import { recordedMicros, type Result } from './result.ts'
import { TollgateError } from './tollgate-error.ts'
import type { ApiRequest, CallOptions, Transport } from './transport.ts'

export type Chat = {
  /** A whole response. Throws TollgateError. */
  create(request: ChatRequest, options?: CallOptions): Promise<Result<ChatCompletion>>
  /** A response in chunks. Sends the request when the iteration begins. */
  stream(request: ChatRequest, options?: StreamOptions): ChatStream
}

const PATH = '/api/llm/v1/chat/completions'
const DONE = '[DONE]'
const MICROS_PER_CENT = 10_000

export function createChat(transport: Transport): Chat {
  return {
    async create(request, options) {
      const body = { ...request, stream: false }
      const answer = await transport.send({ method: 'POST', path: PATH, body }, options)
      const { headers } = answer.response
      const recorded = recordedMicros(headers)
      const micros = recorded ?? Number(headers.get('x-charged-micros') ?? 0)
      const remaining = headers.get('x-credits-remaining-cents')
      return {
        data: JSON.parse(answer.text) as ChatCompletion,
        charged: { micros, cents: Math.ceil(micros / MICROS_PER_CENT) },
        requestId: headers.get('x-request-id') ?? '',
        idempotencyKey: answer.idempotencyKey ?? '',
        replayed: headers.get('idempotency-replayed') === 'true',
        recorded: recorded !== null,
        simulated: headers.get('x-test') === 'true',
        remainingCents: remaining === null ? null : Number(remaining),
        lowered: null,
        advice: null,
      }
    },
    stream: (request, options = {}) => openStream(transport, request, options),
  }
}

function openStream(
  transport: Transport,
  request: ChatRequest,
  options: StreamOptions,
): ChatStream {
  let usage: ChatUsage | null = null
  async function* chunks(): AsyncGenerator<ChatChunk, void, void> {
    for await (const data of readData(transport, request, options)) {
      const chunk = readChunk(data)
      usage = chunk.usage ?? usage
      yield chunk
    }
  }
  return {
    [Symbol.asyncIterator]: chunks,
    async text() {
      let text = ''
      for await (const { choices } of chunks()) text += choices[0]?.delta.content ?? ''
      return text
    },
    get usage() {
      return usage
    },
  }
}

/** The data of all events until [DONE]. After a lost connection the replay of the stream continues it. */
async function* readData(
  transport: Transport,
  request: ChatRequest,
  { resumable = true, ...options }: StreamOptions,
): AsyncGenerator<string, void, void> {
  const { clock, retries, timeoutMs: usualMs } = transport.settings
  const { timeoutMs = usualMs, idempotencyKey = crypto.randomUUID() } = options
  const body = { ...request, stream: true, stream_options: { include_usage: true } }
  const sent: ApiRequest = { method: 'POST', path: PATH, body, isKeyless: !resumable }
  const endsMs = clock.now() + timeoutMs
  let delivered = 0
  for (let attempt = 0; ; attempt += 1) {
    const leftMs = Math.max(1, endsMs - clock.now())
    const response = await transport.open(sent, { ...options, timeoutMs: leftMs, idempotencyKey })
    let seen = 0
    let reason: unknown
    const events = dataOf(response)
    try {
      for (;;) {
        const next = await events.next().catch((error: unknown) => void (reason = error))
        if (next === undefined || next.done === true) break
        seen += 1
        if (seen <= delivered) continue
        delivered = seen
        if (next.value === DONE) return
        yield next.value
      }
    } finally {
      await events.return()
    }
    options.signal?.throwIfAborted()
    const delayMs = retryDelayMs(attempt, null)
    if (!resumable || attempt >= retries || clock.now() + delayMs >= endsMs)
      throw lostStream(reason, resumable ? idempotencyKey : null)
    await clock.wait(delayMs, options.signal ?? clock.deadline(timeoutMs))
  }
}

/** An upstream that does not stream sends the whole response. */
async function* dataOf(response: Response): AsyncGenerator<string, void, void> {
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true
  if (isStream && response.body !== null) {
    for await (const { data } of readEventStream(response.body)) yield data
    return
  }
  const whole = (await response.json()) as ChatCompletion
  const choices = whole.choices.map(({ message, ...choice }) => ({ ...choice, delta: message }))
  yield JSON.stringify({ ...whole, choices })
  yield DONE
}

type StreamError = {
  readonly message?: string
  readonly code?: string | number | null
  readonly type?: string
}

function readChunk(data: string): ChatChunk {
  const chunk = JSON.parse(data) as ChatChunk & { readonly error?: StreamError }
  if (chunk.error === undefined) return chunk
  const { message = 'The stream ended with an error.', code, type } = chunk.error
  throw new TollgateError({
    code: String(code ?? type ?? 'stream_failed'),
    message,
    fix: 'Send the request again with a new idempotency key. The delivered tokens were charged.',
  })
}

function lostStream(cause: unknown, idempotencyKey: string | null): TollgateError {
  return new TollgateError({
    code: 'stream_failed',
    message: 'The connection was lost before the stream was complete.',
    fix:
      idempotencyKey === null
        ? 'Send the request again. The generated tokens were charged.'
        : 'Repeat the request with the idempotencyKey of this error to read the response without a second charge.',
    retryable: true,
    idempotencyKey,
    ...(cause === undefined ? {} : { cause }),
  })
}
