/** A vendor of sprites. It runs programs in a local shell and stores their usage counters in a folder. */
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { WebSocketServer, type WebSocket } from 'ws'
import { cleanUp } from '../clean-up.ts'

/** Times are in seconds, memory in bytes. Memory is null when the control group does not count it. */
export type Counters = { readonly up: number; readonly cpu: number; readonly memory: number | null }

export type SpriteVendor = {
  readonly url: string
  readonly asked: {
    readonly method: string
    readonly path: string
    readonly body: unknown
    readonly key: string | undefined
  }[]
  readonly scripts: string[]
  readonly sprites: Set<string>
  /** The vendor's answer instead of any action. */
  refusal: {
    readonly status: number
    readonly headers?: Readonly<Record<string, string>>
    readonly body: unknown
  } | null
  /** Sent instead of running the script, until null. */
  converse: ((socket: WebSocket) => void) | null
  count(counters: Counters): void
  /** A shell command that sets the counters. */
  using(counters: Counters): string
}

export async function startSpriteVendor(): Promise<SpriteVendor> {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-sprite-'))
  mkdirSync(join(folder, 'cgroup'))
  mkdirSync(join(folder, 'proc/sys/kernel/random'), { recursive: true })
  const files = ({ up, cpu, memory }: Counters): [string, string][] => [
    ['cgroup/cpu.stat', `usage_usec ${cpu * 1_000_000}\nuser_usec 7\n`],
    ['proc/uptime', `${up.toFixed(2)} 9.00\n`],
    ['proc/sys/kernel/random/boot_id', 'first-boot\n'],
    ...(memory === null ? [] : [['cgroup/memory.current', `${memory}\n`] as [string, string]]),
  ]
  writeFileSync(
    join(folder, 'proc/meminfo'),
    'MemTotal:        2097152 kB\nMemFree:          1000 kB\nMemAvailable:    1048576 kB\n',
  )

  const server = createServer((request, response) => void respond(request, response))
  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = (await Array.fromAsync(request as AsyncIterable<Buffer>)).join('')
    const { method = '', url = '', headers } = request
    const body = text === '' ? undefined : (JSON.parse(text) as { name: string })
    vendor.asked.push({ method, path: url, body, key: headers.authorization })
    const name =
      method === 'POST' ? (body?.name ?? '') : decodeURIComponent(url.split('/').at(-1) ?? '')
    const { status, body: answer, headers: more = {} } = vendor.refusal ?? answerTo(method, name)
    response
      .writeHead(status, { 'content-type': 'application/json', ...more })
      .end(status === 204 ? '' : JSON.stringify(answer))
  }
  function answerTo(method: string, name: string): NonNullable<SpriteVendor['refusal']> {
    if (method === 'POST') vendor.sprites.add(name)
    if (!vendor.sprites.has(name))
      return { status: 404, body: { error: 'not_found', message: 'no such sprite' } }
    if (method === 'DELETE') vendor.sprites.delete(name)
    return {
      status: method === 'POST' ? 201 : method === 'DELETE' ? 204 : 200,
      body: { id: 'sprite-1', name, status: 'cold' },
    }
  }

  const sockets = new WebSocketServer({ noServer: true })
  server.on('upgrade', (request, socket, head) => {
    const { method = '', url = '', headers } = request
    vendor.asked.push({ method, path: url, body: undefined, key: headers.authorization })
    socket.on('error', () => socket.destroy())
    const known = vendor.sprites.has(decodeURIComponent(url.split('/')[3] ?? ''))
    const refusal = vendor.refusal ?? (known ? null : answerTo('GET', ''))
    if (refusal !== null) {
      const text = JSON.stringify(refusal.body)
      const lines = Object.entries({
        'content-length': String(text.length),
        connection: 'close',
        ...refusal.headers,
      }).map(([name, value]) => `${name}: ${value}\r\n`)
      socket.end(`HTTP/1.1 ${refusal.status} No\r\n${lines.join('')}\r\n${text}`)
      return
    }
    sockets.handleUpgrade(request, socket, head, (opened) => {
      if (vendor.converse === null)
        runIn(folder, opened, new URL(url, 'http://x').searchParams.getAll('cmd'), vendor.scripts)
      else vendor.converse(opened)
    })
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  cleanUp(() => {
    server.close()
    server.closeAllConnections()
    rmSync(folder, { recursive: true, force: true })
  })

  const vendor: SpriteVendor = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: [],
    scripts: [],
    sprites: new Set(),
    refusal: null,
    converse: null,
    count(counters) {
      rmSync(join(folder, 'cgroup/memory.current'), { force: true })
      for (const [name, text] of files(counters)) writeFileSync(join(folder, name), text)
    },
    using: (counters) =>
      files(counters)
        .map(([name, text]) => `printf '${text.replaceAll('\n', '\\n')}' >'${join(folder, name)}'`)
        .join('; '),
  }
  vendor.count({ up: 100, cpu: 10, memory: 2 ** 28 })
  return vendor
}

/** Implements the protocol of a program without a terminal. */
function runIn(
  folder: string,
  socket: WebSocket,
  [file = '', ...args]: readonly string[],
  scripts: string[],
): void {
  const said: Buffer[] = []
  socket.on('message', (bytes) => {
    if (bytes[0] === 0) said.push(bytes.subarray(1))
    if (bytes[0] !== 4) return
    const script = Buffer.concat(said).toString('utf8')
    scripts.push(script)
    socket.send(JSON.stringify({ type: 'session_info', session_id: 's1' }))
    const program = spawn(file, args, { cwd: folder })
    for (const [stream, output] of [
      [1, program.stdout],
      [2, program.stderr],
    ] as const)
      output.on('data', (chunk: Buffer) => socket.send(Buffer.concat([Buffer.of(stream), chunk])))
    program.on('close', (code, signal) => {
      socket.send(Buffer.of(3, signal === null ? (code ?? 1) : 137))
      socket.close(1000)
    })
    program.stdin.end(
      script
        .replaceAll('/sys/fs/cgroup/', join(folder, 'cgroup/'))
        .replaceAll('/proc/', join(folder, 'proc/')),
    )
  })
}
