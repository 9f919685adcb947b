/** Passes requests to the process that has the box, over a socket in a private folder. */
import { rm } from 'node:fs/promises'
import { createServer, request as sendRequest, type IncomingMessage } from 'node:http'
import { createHash } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AppError, type ErrorFacts } from '../../errors/app-error.ts'
import { errorCatalog, type ErrorCode } from '../../errors/catalog.ts'
import { field, textField } from '../../catalog/answers/vendor-failure.ts'
import type { BoxReply, BoxRequest } from './box-requests.ts'

/** The system accepts 107 bytes. */
const LONGEST_PATH = 100
const NOT_LISTENING = new Set(['ECONNREFUSED', 'ENOENT'])

/** Of a process of the same version, unless an update is running. */
type RelayedError = Pick<ErrorFacts, 'param' | 'fix' | 'retryAfterSeconds'> & {
  readonly code: ErrorCode
  readonly message: string
}
type Perform = (id: string, request: BoxRequest, signal?: AbortSignal) => Promise<BoxReply | null>

/** The socket of the process with the name `home`. */
export function socketPath(homes: string, home: string): string {
  const path = join(homes, `${home}.sock`)
  if (Buffer.byteLength(path) <= LONGEST_PATH) return path
  const short = createHash('sha256').update(path).digest('hex').slice(0, 16)
  return join(tmpdir(), `tollgate-${short}.sock`)
}

export async function openRelay(
  path: string,
  perform: Perform,
): Promise<{ close(): Promise<void> }> {
  const server = createServer((request, response) => {
    const gone = new AbortController()
    response.once('close', () => gone.abort())
    void answer(request, perform, gone.signal).then((body) => response.end(JSON.stringify(body)))
  })
  // Requests last as long as their programs.
  server.requestTimeout = 0
  await rm(path, { force: true })
  const mask = process.umask(0o077)
  try {
    await new Promise<void>((ready, fail) => server.once('error', fail).listen(path, ready))
  } finally {
    process.umask(mask)
  }
  server.unref()
  return {
    async close() {
      server.closeAllConnections()
      await new Promise<void>((closed) => void server.close(() => closed()))
      await rm(path, { force: true })
    },
  }
}

async function answer(
  received: IncomingMessage,
  perform: Perform,
  signal: AbortSignal,
): Promise<unknown> {
  try {
    const body: unknown = JSON.parse(await readText(received))
    const reply = await perform(textField(body, 'id'), field(body, 'request') as BoxRequest, signal)
    return { reply }
  } catch (error) {
    const { code, message, param, fix, retryAfterSeconds } =
      error instanceof AppError
        ? error
        : new AppError('upstream_error', 'The machine could not do this.')
    return { error: { code, message, param, fix, retryAfterSeconds } }
  }
}

/** Null if the process does not know the box, or has ended. Throws the AppError of the process. */
export async function relayTo(
  path: string,
  id: string,
  request: BoxRequest,
  signal?: AbortSignal,
): Promise<BoxReply | null> {
  let text: string
  try {
    text = await new Promise<string>((resolve, reject) => {
      const message = sendRequest({ socketPath: path, method: 'POST', signal }, (response) => {
        readText(response).then(resolve, reject)
      })
      message.once('error', reject)
      message.end(JSON.stringify({ id, request }))
    })
  } catch (error) {
    if (isNotListening(error)) return null
    throw new AppError('upstream_error', 'The gateway process with this machine did not answer.', {
      cause: error,
    })
  }
  const body: unknown = JSON.parse(text)
  const failure = field(body, 'error')
  if (failure === undefined) return (field(body, 'reply') ?? null) as BoxReply | null
  const { code, message, ...facts } = failure as RelayedError
  throw new AppError(Object.hasOwn(errorCatalog, code) ? code : 'upstream_error', message, facts)
}

/** Whether the process behind a socket has ended. One that does not answer within `withinMs` has not. */
export async function isAbandoned(path: string, withinMs = 2_000): Promise<boolean> {
  return new Promise((resolve) => {
    const signal = AbortSignal.timeout(withinMs)
    const probe = sendRequest({ socketPath: path, method: 'POST', signal }, (response) => {
      response.resume()
      resolve(false)
    })
    probe.once('error', (error) => resolve(isNotListening(error)))
    probe.end('{}')
  })
}

function isNotListening(error: unknown): boolean {
  return NOT_LISTENING.has((error as NodeJS.ErrnoException).code ?? '')
}

async function readText(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}
