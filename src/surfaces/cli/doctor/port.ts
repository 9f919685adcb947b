import { createServer } from 'node:net'
import { localUrl } from '../../../app/settings/config.ts'
import { broken, ok, type Check } from './check.ts'

const ANSWER_WITHIN_MS = 3_000

/** Checks that the port is free or that a gateway listens on it. */
export async function checkPort({
  host,
  port,
}: {
  readonly host: string
  readonly port: number
}): Promise<Check> {
  if (port === 0) return ok('port', 'chosen by the system at start')
  const failure = await tryToListen(host, port)
  if (failure === null) return ok('port', `${port} on ${host} is free`)
  if (failure === 'EADDRINUSE' && (await isGateway(host, port)))
    return ok('port', `a gateway runs on port ${port}`)
  const found =
    failure === 'EADDRINUSE'
      ? `${port} on ${host} is used by another program`
      : `could not open port ${port} on ${host} (${failure})`
  return broken('port', found, 'Stop that program, or change PORT or HOST.')
}

function tryToListen(host: string, port: number): Promise<string | null> {
  const server = createServer()
  return new Promise((done) => {
    server.once('error', (error: NodeJS.ErrnoException) => done(error.code ?? error.message))
    server.listen(port, host, () => server.close(() => done(null)))
  })
}

async function isGateway(host: string, port: number): Promise<boolean> {
  try {
    const response = await fetch(`${localUrl({ host, port })}/healthz`, {
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    })
    const body = (await response.json()) as { ok?: unknown }
    return response.ok && body.ok === true
  } catch {
    return false
  }
}
