/** Passes requests to the process that has the box, over a socket in a private folder. */
import { rm } from 'node:fs/promises'
import { createServer, request as sendRequest, type IncomingMessage } from 'node:http'
import { createHash } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AppError } from '../../errors/app-error.ts'
import { errorCatalog, type ErrorCode } from '../../errors/catalog.ts'
import { field, textField } from '../../catalog/answers/vendor-failure.ts'
import type { BoxReply, BoxRequest } from './box-requests.ts'

/** The system accepts 107 bytes. */
const LONGEST_PATH = 100
const NOBODY_LISTENS = new Set(['ECONNREFUSED', 'ENOENT'])

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
  message: IncomingMessage,
  perform: Perform,
  signal: AbortSignal,
): Promise<unknown> {
  try {
    const body: unknown = JSON.parse(await readText(message))
    const reply = await perform(textField(body, 'id'), field(body, 'request') as BoxRequest, signal)
    return { reply }
  } catch (error) {
    return error instanceof AppError
      ? { error: { code: error.code, message: error.message, param: error.param } }
      : { error: { code: 'upstream_error', message: 'The machine could not do this.' } }
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
    if (isNobody(error)) return null
    throw new AppError('upstream_error', 'The gateway process with this machine did not answer.', {
      cause: error,
    })
  }
  const body: unknown = JSON.parse(text)
  const failure = field(body, 'error')
  if (failure === undefined) return (field(body, 'reply') ?? null) as BoxReply | null
  const code = textField(failure, 'code')
  throw new AppError(
    Object.hasOwn(errorCatalog, code) ? (code as ErrorCode) : 'upstream_error',
    textField(failure, 'message'),
  )
}

/** Whether the process behind a socket has ended. */
export async function isAbandoned(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = sendRequest({ socketPath: path, method: 'POST' }, (response) => {
      response.resume()
      resolve(false)
    })
    probe.once('error', (error) => resolve(isNobody(error)))
    probe.end('{}')
  })
}

function isNobody(error: unknown): boolean {
  return NOBODY_LISTENS.has((error as NodeJS.ErrnoException).code ?? '')
}

async function readText(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}
