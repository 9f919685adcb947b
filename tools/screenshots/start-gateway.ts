import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')

export type ShownGateway = {
  readonly url: string
  readonly dataFolder: string
  readonly liveKey: string
  readonly testKey: string
  /** The link that signs the owner in, once. */
  readonly signInLink: string
  readonly stop: () => Promise<void>
}

/** A gateway on a throw-away data folder, with one local vendor that finds a page for every query. */
export async function startShownGateway(port: number): Promise<ShownGateway> {
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-screenshots-'))
  const vendor = await startVendor()
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', join(root, 'src/app/processes/both.ts')],
    {
      env: {
        PATH: process.env['PATH'] ?? '',
        HOME: process.env['HOME'] ?? '',
        DATA_DIR: folder,
        PORT: String(port),
        LOG_LEVEL: 'warn',
        UPSTREAM_SEMANTIC_URL: vendor.url,
        UPSTREAM_SEMANTIC_KEY: 'key-of-the-example',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  let printed = ''
  const isReady = Promise.withResolvers<string>()
  child.stdout.on('data', (chunk: Buffer) => {
    printed += chunk.toString()
    const url = /^tollgate ready on (\S+)$/m.exec(printed)?.[1]
    if (url !== undefined) isReady.resolve(url)
  })
  child.on('exit', (code) => isReady.reject(new Error(`the gateway ended with ${String(code)}`)))
  const stop = async (): Promise<void> => {
    vendor.stop()
    if (child.exitCode === null) {
      child.kill('SIGTERM')
      await once(child, 'exit')
    }
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  }
  try {
    const url = await isReady.promise
    const find = (pattern: RegExp): string => pattern.exec(printed)?.[0] ?? ''
    return {
      url,
      dataFolder: folder,
      liveKey: find(/tg_live_[0-9A-Za-z]{38}/),
      testKey: find(/tg_test_[0-9A-Za-z]{38}/),
      signInLink: find(/http\S+token=\S+/),
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Answers searches. A query with the word "fail" gets an error of the vendor. */
async function startVendor(): Promise<{ readonly url: string; readonly stop: () => void }> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { query = '' } = JSON.parse(Buffer.concat(chunks).toString() || '{}') as {
        query?: string
      }
      const isFailing = query.includes('fail')
      response.writeHead(isFailing ? 500 : 200, { 'content-type': 'application/json' })
      response.end(isFailing ? '{}' : JSON.stringify(resultsFor(query)))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, stop: () => void server.close() }
}

function resultsFor(query: string): object {
  const results = ['overview', 'guide', 'reference'].map((name) => ({
    id: `https://example.com/${name}`,
    url: `https://example.com/${name}`,
    title: `${query}: ${name}`,
  }))
  return { requestId: 'example', results }
}
