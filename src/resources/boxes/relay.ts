/** Passes requests to the process that has a box or a browser, over a socket in a private folder. */
import { rm } from 'node:fs/promises'
import {
  createServer,
  request as sendRequest,
  type IncomingMessage,
  type RequestOptions,
  type ServerResponse,
} from 'node:http'
import { basename, dirname, join } from 'node:path'
import type { Duplex } from 'node:stream'
import { AppError, type ErrorFacts } from '../../errors/app-error.ts'
import { errorCatalog, type ErrorCode } from '../../errors/catalog.ts'
import { field, textField } from '../../catalog/answers/vendor-failure.ts'
import { openSocketFolder } from '../../lib/machine/socket-folder.ts'

const ERROR_STATUS = 500
const RESPONSE_TIMEOUT_MS = 20_000
const NOT_LISTENING = new Set(['ECONNREFUSED', 'ENOENT'])

/** Of a process of the same version, unless an update is running. */
export type RelayedError = Pick<ErrorFacts, 'param' | 'fix' | 'retryAfterSeconds'> & {
  readonly code: ErrorCode
  readonly message: string
}
/** Null if the process does not know the id. */
type Perform<Request, Reply> = (
  id: string,
  request: Request,
  signal?: AbortSignal,
) => Promise<Reply | null>

/** Further requests that the process answers. */
export type RelayedStreams = {
  /** Answers a request for a stream. Throws AppError. */
  readonly onStream?: (id: string, response: ServerResponse) => Promise<void>
  readonly onUpgrade?: (request: IncomingMessage, socket: Duplex, head: Buffer) => void
}

/** The socket of the process with the name `home`. */
export function socketPath(homes: string, home: string): string {
  return join(homes, `${home}.sock`)
}

export async function openRelay<Request, Reply>(
  path: string,
  perform: Perform<Request, Reply>,
  { onStream, onUpgrade }: RelayedStreams = {},
): Promise<{ close(): Promise<void> }> {
  const server = createServer((request, response) => {
    if (request.method === 'GET' && onStream !== undefined) {
      onStream((request.url ?? '').slice(1), response).catch((error: unknown) =>
        response.writeHead(ERROR_STATUS).end(JSON.stringify(errorBody(error))),
      )
      return
    }
    const gone = new AbortController()
    response.once('close', () => gone.abort())
    void answer(request, perform, gone.signal).then((body) => response.end(JSON.stringify(body)))
  })
  if (onUpgrade !== undefined) server.on('upgrade', onUpgrade)
  // Requests last as long as their programs.
  server.requestTimeout = 0
  await rm(path, { force: true })
  const folder = openSocketFolder(dirname(path))
  const mask = process.umask(0o077)
  try {
    const shortPath = folder.pathOf(basename(path))
    await new Promise<void>((ready, fail) => server.once('error', fail).listen(shortPath, ready))
  } catch (error) {
    folder.close()
    throw error
  } finally {
    process.umask(mask)
  }
  server.unref()
  return {
    async close() {
      server.closeAllConnections()
      await new Promise<void>((closed) => void server.close(() => closed()))
      await rm(path, { force: true })
      folder.close()
    },
  }
}

async function answer<Request, Reply>(
  received: IncomingMessage,
  perform: Perform<Request, Reply>,
  signal: AbortSignal,
): Promise<unknown> {
  try {
    const body: unknown = JSON.parse(await readText(received))
    const reply = await perform(textField(body, 'id'), field(body, 'request') as Request, signal)
    return { reply }
  } catch (error) {
    return errorBody(error)
  }
}

function errorBody(error: unknown): { readonly error: RelayedError } {
  return { error: toRelayed(error) }
}

export function toRelayed(error: unknown): RelayedError {
  const { code, message, param, fix, retryAfterSeconds } =
    error instanceof AppError
      ? error
      : new AppError('upstream_error', 'The machine could not do this.')
  return { code, message, param, fix, retryAfterSeconds }
}

/** For requests without a caller who waits. A process may be stopped, and then never answers. */
const ANSWER_MS = 60_000

/** Null if the process does not know the box, or has ended. Throws the AppError of the process. */
export async function relayTo<Reply>(
  path: string,
  id: string,
  request: object,
  signal: AbortSignal = AbortSignal.timeout(ANSWER_MS),
): Promise<Reply | null> {
  let text: string
  try {
    text = await sendText(path, JSON.stringify({ id, request }), signal)
  } catch (error) {
    if (isNotListening(error)) return null
    throw new AppError('upstream_error', 'The gateway process with this machine did not answer.', {
      cause: error,
    })
  }
  const body: unknown = JSON.parse(text)
  throwRelayed(body)
  return (field(body, 'reply') ?? null) as Reply | null
}

/** A stream of the process; null if it has ended. Throws the AppError of the process. */
export async function relayStream(path: string, id: string): Promise<IncomingMessage | null> {
  try {
    const { response } = await openRequest(path, { method: 'GET', path: `/${id}` })
    if (response.statusCode !== ERROR_STATUS) return response
    throwRelayed(JSON.parse(await readText(response)))
    return null
  } catch (error) {
    if (isNotListening(error)) return null
    throw error
  }
}

function throwRelayed(body: unknown): void {
  const failure = field(body, 'error')
  if (failure !== undefined) throw fromRelayed(failure as RelayedError)
}

export function fromRelayed({ code, message, ...facts }: RelayedError): AppError {
  return new AppError(Object.hasOwn(errorCatalog, code) ? code : 'upstream_error', message, facts)
}

/** Whether the process behind a socket has ended. One that does not answer within `withinMs` has not. */
export async function isAbandoned(path: string, withinMs = 2_000): Promise<boolean> {
  try {
    await sendText(path, '{}', AbortSignal.timeout(withinMs))
    return false
  } catch (error) {
    return isNotListening(error)
  }
}

/** The response of the process behind a socket. Rejects with the error of the system. */
async function sendText(path: string, body: string, signal?: AbortSignal): Promise<string> {
  const { response } = await openRequest(path, { method: 'POST', signal, body, timeoutMs: null })
  return readText(response)
}

type RelayedRequest = Pick<RequestOptions, 'method' | 'path' | 'headers' | 'signal'> & {
  readonly body?: string
  /** How long the process may take to begin its response. Null: as long as its work. */
  readonly timeoutMs?: null
}
/** `upgraded`: the connection, if the process accepted the Upgrade header. */
export type RelayedResponse = {
  readonly response: IncomingMessage
  readonly upgraded: { readonly socket: Duplex; readonly head: Buffer } | null
}

/** Sends a request to the process behind a socket. Rejects with the error of the system. */
export async function openRequest(
  path: string,
  { body = '', timeoutMs, ...options }: RelayedRequest,
): Promise<RelayedResponse> {
  const folder = openSocketFolder(dirname(path))
  let timer: NodeJS.Timeout | undefined
  try {
    return await new Promise<RelayedResponse>((resolve, reject) => {
      const place = { socketPath: folder.pathOf(basename(path)), agent: false }
      const message = sendRequest({ ...options, ...place })
      if (timeoutMs !== null) timer = setTimeout(() => message.destroy(), RESPONSE_TIMEOUT_MS)
      message.once('error', reject)
      message.once('response', (response) => resolve({ response, upgraded: null }))
      message.once('upgrade', (response, socket, head) =>
        resolve({ response, upgraded: { socket, head } }),
      )
      message.end(body)
    })
  } finally {
    clearTimeout(timer)
    folder.close()
  }
}

export function isNotListening(error: unknown): boolean {
  return NOT_LISTENING.has((error as NodeJS.ErrnoException).code ?? '')
}

export async function readText(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}
