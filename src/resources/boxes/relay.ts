/** Passes requests to the process that has the box, over a socket in a private folder. */
import { rm } from 'node:fs/promises'
import { createServer, request as sendRequest, type IncomingMessage } from 'node:http'
import { basename, dirname, join } from 'node:path'
import { AppError, type ErrorFacts } from '../../errors/app-error.ts'
import { errorCatalog, type ErrorCode } from '../../errors/catalog.ts'
import { field, textField } from '../../catalog/answers/vendor-failure.ts'
import { openSocketFolder } from '../../lib/machine/socket-folder.ts'
import type { BoxReply, BoxRequest } from './box-requests.ts'

const NOT_LISTENING = new Set(['ECONNREFUSED', 'ENOENT'])

/** Of a process of the same version, unless an update is running. */
type RelayedError = Pick<ErrorFacts, 'param' | 'fix' | 'retryAfterSeconds'> & {
  readonly code: ErrorCode
  readonly message: string
}
type Perform = (id: string, request: BoxRequest, signal?: AbortSignal) => Promise<BoxReply | null>

/** The socket of the process with the name `home`. */
export function socketPath(homes: string, home: string): string {
  return join(homes, `${home}.sock`)
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
    text = await sendText(path, JSON.stringify({ id, request }), signal)
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
  try {
    await sendText(path, '{}', AbortSignal.timeout(withinMs))
    return false
  } catch (error) {
    return isNotListening(error)
  }
}

/** The response of the process behind a socket. Rejects with the error of the system. */
async function sendText(path: string, body: string, signal?: AbortSignal): Promise<string> {
  const folder = openSocketFolder(dirname(path))
  try {
    return await new Promise<string>((resolve, reject) => {
      const options = { socketPath: folder.pathOf(basename(path)), method: 'POST', signal }
      const message = sendRequest({ ...options, agent: false }, (response) => {
        readText(response).then(resolve, reject)
      })
      message.once('error', reject)
      message.end(body)
    })
  } finally {
    folder.close()
  }
}

function isNotListening(error: unknown): boolean {
  return NOT_LISTENING.has((error as NodeJS.ErrnoException).code ?? '')
}

async function readText(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}
