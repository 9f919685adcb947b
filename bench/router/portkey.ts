/**
 * Portkey's open-source gateway, for comparison. It is not a dependency: `--portkey` names a folder with
 * `npm install @portkey-ai/gateway@<version>`. It runs as its package documents, with the Node of this run.
 */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { SERVER_CORE, type Server } from '../gateway/bed.ts'

export type Installed = { readonly script: string; readonly version: string }
export type Portkey = Server & {
  readonly version: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
}

const PACKAGE = '@portkey-ai/gateway'
const PATH = '/v1/chat/completions'
const LONGEST_COMPLAINT = 2_000

export function findPortkey(folder: string): Installed {
  const home = resolve(folder, 'node_modules', PACKAGE)
  if (!existsSync(home))
    throw new Error(`${folder} has no ${PACKAGE}: run npm install ${PACKAGE} in it`)
  const { version, bin } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as {
    version: string
    bin: string
  }
  return { version, script: join(home, bin) }
}

/** Resolves when the gateway has forwarded a request and its complete answer. */
export async function startPortkey(
  { script, version }: Installed,
  upstreamPort: number,
): Promise<Portkey> {
  const server = await start(script, await freePort())
  const headers = {
    authorization: 'Bearer bench',
    'x-portkey-provider': 'openai',
    'x-portkey-custom-host': `http://127.0.0.1:${upstreamPort}/v1`,
  }
  const portkey = { ...server, version, path: PATH, headers }
  try {
    await tryOut(portkey)
  } catch (error) {
    await server.stop()
    throw error
  }
  return portkey
}

async function tryOut({ port, path, headers }: Portkey): Promise<void> {
  const body = JSON.stringify({
    model: 'bench/model',
    messages: [{ role: 'user', content: 'Are you there?' }],
  })
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body,
  })
  const text = await answer.text()
  if (answer.status !== 200 || !text.includes('"id":"gen-bench"'))
    throw new Error(
      `Portkey did not reach the upstream: ${answer.status} ${text.slice(0, LONGEST_COMPLAINT)}`,
    )
  // The load generator uses it to find the end of an answer.
  if (!answer.headers.has('content-length'))
    throw new Error('Portkey answers without Content-Length')
}

function start(script: string, port: number): Promise<Server> {
  const pinned = spawnSync('taskset', ['-V']).status === 0 ? ['taskset', '-c', SERVER_CORE] : []
  const [command, ...rest] = [...pinned, process.execPath, script, `--port=${port}`, '--headless']
  const child = spawn(command, rest, { stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise<void>((done) => child.once('exit', () => done()))
  const stop = (): Promise<void> => {
    child.kill('SIGTERM')
    return ended
  }
  return new Promise((ready, fail) => {
    let said = ''
    let complaint = ''
    void ended.then(() => fail(new Error(`Portkey ended: ${complaint}`)))
    // Both pipes are read to the end; otherwise the process would block on a full pipe.
    child.stderr.on(
      'data',
      (chunk: Buffer) => (complaint = (complaint + chunk.toString()).slice(-LONGEST_COMPLAINT)),
    )
    child.stdout.on('data', (chunk: Buffer) => {
      said = (said + chunk.toString()).slice(-LONGEST_COMPLAINT)
      if (said.includes('Ready for connections')) ready({ port, pid: child.pid ?? 0, stop })
    })
  })
}

/** Finds a free port, because the gateway accepts a port but does not report the one it uses. */
function freePort(): Promise<number> {
  return new Promise((found, fail) => {
    const server = createServer().once('error', fail)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => found(port))
    })
  })
}
