/** A gateway as an operator starts it, on a temporary data folder. */
import { execFile, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const root = join(import.meta.dirname, '../..')
const command = join(root, 'run.mjs')
const READY_MS = 120_000

export type Gateway = {
  readonly url: string
  /** The primary key of the first account. */
  readonly key: string
  /** Calls the gateway's own API with the primary key. */
  api(method: string, path: string, body?: unknown, key?: string): Promise<Record<string, unknown>>
  close(): Promise<void>
}

/** Starts a gateway whose models come from the given upstreams, by name. */
export async function startGateway(
  upstreams: Readonly<Record<string, string>>,
  routerConfig: unknown,
): Promise<Gateway> {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-clients-'))
  writeFileSync(join(folder, 'router.json'), JSON.stringify(routerConfig))
  const environment = {
    ...process.env,
    DATA_DIR: join(folder, 'data'),
    PORT: '0',
    LOG_LEVEL: 'warn',
    ROUTER_CONFIG: join(folder, 'router.json'),
    ...Object.fromEntries(
      Object.entries(upstreams).flatMap(([name, url]) => [
        [`UPSTREAM_LLM_${name}_URL`, url],
        [`UPSTREAM_LLM_${name}_KEY`, 'simulated'],
      ]),
    ),
  }
  const child = spawn(process.execPath, [command, 'start'], { env: environment, cwd: root })
  const ended = new Promise<void>((done) => child.on('exit', () => done()))
  const { url, key } = await readyLine(child, ended)
  await promisify(execFile)(
    process.execPath,
    [command, 'credit', 'grant', '--account', 'owner@localhost', '--cents', '100000'],
    { env: environment, cwd: root },
  )
  return {
    url,
    key,
    async api(method, path, body, caller = key) {
      const response = await fetch(`${url}${path}`, {
        method,
        headers: { authorization: `Bearer ${caller}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`)
      return (JSON.parse(text) as { data: Record<string, unknown> }).data
    },
    async close() {
      child.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
    },
  }
}

async function readyLine(
  child: ReturnType<typeof spawn>,
  ended: Promise<void>,
): Promise<{ url: string; key: string }> {
  let output = ''
  const ready = new Promise<{ url: string; key: string }>((resolve) => {
    const read = (chunk: Buffer): void => {
      output += chunk.toString()
      const url = /^tollgate ready on (\S+)$/m.exec(output)?.[1]
      const key = /tg_live_[0-9A-Za-z]+/.exec(output)?.[0]
      if (url !== undefined && key !== undefined) resolve({ url, key })
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
  })
  const failed = Promise.race([ended, new Promise((late) => setTimeout(late, READY_MS).unref())])
  const result = await Promise.race([ready, failed.then(() => null)])
  if (result === null) throw new Error(`The gateway did not start: ${output}`)
  return result
}
