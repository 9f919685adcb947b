/**
 * Files of 100 MB through a gateway, up and down, alternating with a bare server that pipes them to the same disk and
 * with a raw write. Then the memory of the gateway, and 1000 uploads that compete for a quota of 20.
 * Usage: npx node bench/files.ts [rounds]
 */
import { fork, spawn, type ChildProcess } from 'node:child_process'
import { randomFillSync } from 'node:crypto'
import { once } from 'node:events'
import {
  closeSync,
  fdatasyncSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fetchAll, send } from './files/client.ts'

const MEGABYTE = 1024 * 1024
const FILE_BYTES = 100 * MEGABYTE
const RACERS = 1_000
const rounds = Number(process.argv[2] ?? 7)
const folder = mkdtempSync(join(tmpdir(), 'tollgate-bench-files-'))
const block = randomFillSync(Buffer.alloc(MEGABYTE))

type Slot = { file_id: string; put_url: string; get_url: string }

async function startGateway(): Promise<{
  url: string
  key: string
  pid: number
  stop(): Promise<void>
}> {
  const child = spawn(process.execPath, ['src/app/processes/both.ts'], {
    cwd: join(import.meta.dirname, '..'),
    env: { ...process.env, PORT: '0', DATA_DIR: folder, LOG_LEVEL: 'error' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let key = ''
  for await (const line of createInterface({ input: child.stdout })) {
    key = /test key\s+(tg_test_\w+)/.exec(line)?.[1] ?? key
    const url = /tollgate ready on (\S+)/.exec(line)?.[1]
    if (url === undefined) continue
    const stop = async (): Promise<void> => {
      child.kill('SIGTERM')
      await once(child, 'exit')
      rmSync(folder, { recursive: true, force: true })
    }
    return { url, key, pid: child.pid ?? 0, stop }
  }
  throw new RangeError('the gateway did not start')
}

function memoryOf(pid: number, field: 'VmRSS' | 'VmHWM'): number {
  const kilobytes = new RegExp(`${field}:\\s+(\\d+)`).exec(
    readFileSync(`/proc/${pid}/status`, 'utf8'),
  )?.[1]
  return Math.round(Number(kilobytes) / 1024)
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now()
  await work()
  return Math.round(performance.now() - startMs)
}

function writeRaw(): void {
  const file = openSync(join(folder, 'raw'), 'w')
  for (let at = 0; at < FILE_BYTES; at += MEGABYTE) writeSync(file, block)
  fdatasyncSync(file)
  closeSync(file)
}

async function startBareServer(): Promise<{ url: string; child: ChildProcess }> {
  const child = fork(join(import.meta.dirname, 'files/bare-server.ts'), [join(folder, 'bare')])
  const [port] = (await once(child, 'message')) as [number]
  return { url: `http://127.0.0.1:${port}/`, child }
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
const spread = (values: readonly number[]): string =>
  `${median(values)} ms (${Math.min(...values)} to ${Math.max(...values)})`

const gateway = await startGateway()
const bare = await startBareServer()
const run = async (
  action: string,
  body: object,
): Promise<{ ok: boolean; data: Slot & { used_bytes: number; quota_bytes: number } }> => {
  const reply = await fetch(`${gateway.url}/api/run/files/${action}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return (await reply.json()) as Awaited<ReturnType<typeof run>>
}

const newSlot = async (sizeBytes: number): Promise<Slot> =>
  (await run('upload', { filename: 'bench.bin', size_bytes: sizeBytes })).data

try {
  const idle = memoryOf(gateway.pid, 'VmRSS')
  const times: Record<'raw' | 'bareUp' | 'up' | 'bareDown' | 'down', number[]> = {
    raw: [],
    bareUp: [],
    up: [],
    bareDown: [],
    down: [],
  }
  for (let round = 0; round <= rounds; round += 1) {
    const slot = await newSlot(FILE_BYTES)
    const took = {
      raw: await timed(async () => writeRaw()),
      bareUp: await timed(() => send(bare.url, block, FILE_BYTES)),
      up: await timed(() => send(slot.put_url, block, FILE_BYTES)),
      bareDown: await timed(() => fetchAll(bare.url, FILE_BYTES)),
      down: await timed(() => fetchAll(slot.get_url, FILE_BYTES)),
    }
    // The first round warms up.
    if (round > 0)
      for (const name of Object.keys(times) as (keyof typeof times)[]) times[name].push(took[name])
    await run('delete', { file_id: slot.file_id })
  }
  process.stdout.write(
    `100 MB, medians of ${rounds} rounds: raw write and sync ${spread(times.raw)}\n`,
  )
  process.stdout.write(
    `  up: bare server ${spread(times.bareUp)}, gateway ${spread(times.up)}, ratio ${(median(times.up) / median(times.bareUp)).toFixed(2)}\n`,
  )
  process.stdout.write(
    `  down: bare server ${spread(times.bareDown)}, gateway ${spread(times.down)}, ratio ${(median(times.down) / median(times.bareDown)).toFixed(2)}\n`,
  )
  process.stdout.write(`  memory ${memoryOf(gateway.pid, 'VmRSS')} MiB (idle ${idle})\n`)
  const slots = await Promise.all(Array.from({ length: 8 }, () => newSlot(FILE_BYTES)))
  const together = await timed(() =>
    Promise.all(slots.map((slot) => send(slot.put_url, block, FILE_BYTES))),
  )
  process.stdout.write(
    `8 × 100 MB concurrently: up ${together} ms, peak memory ${memoryOf(gateway.pid, 'VmHWM')} MiB\n`,
  )
  await Promise.all(slots.map(({ file_id: fileId }) => run('delete', { file_id: fileId })))
  let won = 0
  const race = await timed(async () => {
    const results = await Promise.all(
      Array.from({ length: RACERS }, () =>
        run('upload', { filename: 'racer', size_bytes: FILE_BYTES }),
      ),
    )
    won = results.filter(({ ok }) => ok).length
  })
  const { used_bytes: used, quota_bytes: quota } = (await run('list', {})).data
  process.stdout.write(
    `${RACERS} racing uploads of 100 MB: ${won} of ${Math.floor(quota / FILE_BYTES)} won in ${race} ms, ${used} of ${quota} bytes taken\n`,
  )
} finally {
  bare.child.disconnect()
  await gateway.stop()
}
