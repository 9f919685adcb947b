/** Sends requests with retries, within a deadline. */
import { readError } from './read-error.ts'
import { isInProgress, isWorthRetrying, retryDelayMs } from './retry-delay.ts'
import type { Settings } from './settings.ts'
import { TollgateError } from './tollgate-error.ts'

export type CallOptions = {
  /** Stops the call. The promise rejects with the reason of the signal. */
  readonly signal?: AbortSignal
  /** The most time of this call with all its retries. */
  readonly timeoutMs?: number
  /** By default a new key for each call. Repeat a call with its key to get its result again. */
  readonly idempotencyKey?: string
}

export type ApiRequest = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below the address of the gateway; or a signed link to a file, which gets no key. */
  readonly path: string
  /** Sent as JSON. */
  readonly body?: unknown
  /** Sent as it is. */
  readonly bytes?: Blob
  /** A POST without an idempotency key. It is not repeated after a lost response. */
  readonly isKeyless?: boolean
}

export type ApiResponse = {
  readonly response: Response
  readonly text: string
  readonly idempotencyKey: string | null
}

/** An attempt reads the response as far as it can be lost. */
type Attempt<Answer> = (response: Response) => Promise<Answer>

export type Transport = {
  /** The whole response, as text. */
  send(request: ApiRequest, options?: CallOptions): Promise<ApiResponse>
  /** A response with an unread body. `options.timeoutMs` limits the time until its first byte. */
  open(request: ApiRequest, options?: CallOptions): Promise<Response>
  readonly settings: Settings
}

export function createTransport(settings: Settings): Transport {
  return {
    settings,
    async send(request, options = {}) {
      const key = keyFor(request, options)
      return sendWithRetries(settings, { request, options, key }, async (response) => {
        const text = await response.text()
        if (response.status >= 400) throw failed(response, text, key)
        return { response, text, idempotencyKey: key }
      })
    },
    async open(request, options = {}) {
      const key = keyFor(request, options)
      return sendWithRetries(settings, { request, options, key }, async (response) => {
        if (response.status >= 400) throw failed(response, await response.text(), key)
        return response
      })
    },
  }
}

/** Requests that change nothing, or the same thing each time, need no key. */
function keyFor({ method, isKeyless }: ApiRequest, { idempotencyKey }: CallOptions): string | null {
  return method === 'POST' && isKeyless !== true ? (idempotencyKey ?? crypto.randomUUID()) : null
}

/** An error response with the facts that decide about a retry. */
class Failed extends Error {
  readonly error: TollgateError
  readonly retryAfter: string | null

  constructor(error: TollgateError, headers: Headers | null) {
    super(error.message)
    this.error = error
    this.retryAfter = headers?.get('retry-after') ?? null
  }
}

function failed(response: Response, text: string, key: string | null): Failed {
  return new Failed(readError(response, text, key), response.headers)
}

type Sent = {
  readonly request: ApiRequest
  readonly options: CallOptions
  readonly key: string | null
}

async function sendWithRetries<Answer>(
  settings: Settings,
  sent: Sent,
  read: Attempt<Answer>,
): Promise<Answer> {
  const { clock, retries } = settings
  const { signal: own, timeoutMs = settings.timeoutMs } = sent.options
  const deadline = clock.deadline(timeoutMs)
  const signal = own === undefined ? deadline : AbortSignal.any([own, deadline])
  const endsMs = clock.now() + timeoutMs
  let attempt = 0
  let last: TollgateError | undefined
  for (;;) {
    own?.throwIfAborted()
    try {
      return await sendOnce(settings, sent, signal, read)
    } catch (thrown) {
      own?.throwIfAborted()
      if (deadline.aborted) throw outOfTime(timeoutMs, sent.key, last)
      if (!(thrown instanceof Failed)) throw thrown
      const { error, retryAfter } = thrown
      const delayMs = retryDelayMs(attempt, retryAfter)
      const mayRetry = isInProgress(error) || attempt < retries
      const fits = clock.now() + delayMs < endsMs
      const mayHaveRun = sent.request.isKeyless === true && error.requestId === null
      if (!isWorthRetrying(error) || mayHaveRun || !mayRetry || !fits) throw error
      last = error
      if (!isInProgress(error)) attempt += 1
      await clock.wait(delayMs, signal).catch((reason: unknown) => {
        own?.throwIfAborted()
        throw deadline.aborted ? outOfTime(timeoutMs, sent.key, last) : reason
      })
    }
  }
}

/** Calls that a cassette covers. The bytes of files are not part of a recording. */
const RECORDED = /^\/api\/(run\/(?!files\/)|llm\/v1\/chat\/)/

async function sendOnce<Answer>(
  { url, key: secret, cassette, fetch }: Settings,
  { request: { method, path, body, bytes }, key }: Sent,
  signal: AbortSignal,
  read: Attempt<Answer>,
): Promise<Answer> {
  try {
    const isLink = !path.startsWith('/')
    const response = await fetch(isLink ? path : `${url}${path}`, {
      method,
      headers: {
        ...(isLink ? {} : { authorization: `Bearer ${secret}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(key === null ? {} : { 'idempotency-key': key }),
        ...(cassette !== null && RECORDED.test(path) ? { 'x-tollgate-cassette': cassette } : {}),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(bytes === undefined ? {} : { body: bytes }),
      // A redirect would turn a POST into a GET. A browser hides its status.
      redirect: 'manual',
      signal,
    })
    const isRedirect = response.status >= 300 && response.status < 400
    if (isRedirect || response.type === 'opaqueredirect') throw redirected(url, response)
    return await read(response)
  } catch (thrown) {
    if (thrown instanceof Failed || thrown instanceof TollgateError || signal.aborted) throw thrown
    throw new Failed(lost(url, thrown, key), null)
  }
}

function lost(url: string, cause: unknown, idempotencyKey: string | null): TollgateError {
  const { message, cause: inner } = cause as Error
  const reason = inner instanceof Error && inner.message !== '' ? inner.message : message
  return new TollgateError({
    code: 'connection_failed',
    message: `The connection to ${url} failed before the response was complete: ${reason}`,
    fix: `Check the url and the network. ${repeat(idempotencyKey)}`,
    retryable: true,
    idempotencyKey,
    cause,
  })
}

function outOfTime(
  timeoutMs: number,
  idempotencyKey: string | null,
  cause: TollgateError | undefined,
): TollgateError {
  return new TollgateError({
    code: 'deadline_exceeded',
    message: `The call did not end within ${timeoutMs} ms.`,
    fix: `Allow a longer timeoutMs. ${repeat(idempotencyKey)}`,
    retryable: true,
    idempotencyKey,
    ...(cause === undefined ? {} : { cause }),
  })
}

function repeat(idempotencyKey: string | null): string {
  return idempotencyKey === null
    ? 'Then send the request again.'
    : 'Repeat the call with the idempotencyKey of this error to get its result without a second charge.'
}

function redirected(url: string, { headers, status }: Response): TollgateError {
  const target = headers.get('location')
  return new TollgateError({
    code: 'redirected',
    message: `${url} redirects${target === null ? '' : ` to ${target}`}. The request was not sent further.`,
    fix: 'Set url to the final address of the gateway.',
    status,
  })
}
