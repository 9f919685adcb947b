/**
 * Files through a gateway of its own: 100 MB up and down beside the disk's own speed, with the gateway's memory; and 1000
 * uploads that race for the room of 20. Usage: node bench/files.ts
 */
import { spawn } from 'node:child_process'
import { randomFillSync } from 'node:crypto'
import { once } from 'node:events'
import { closeSync, fdatasyncSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'

const MEGABYTE = 1024 * 1024
const FILE_BYTES = 100 * MEGABYTE
const RACERS = 1_000
const folder = mkdtempSync(join(tmpdir(), 'tollgate-bench-files-'))
const block = randomFillSync(Buffer.alloc(MEGABYTE))

type Slot = { file_id: string; put_url: string; get_url: string }

async function startGateway(): Promise<{ url: string; key: string; pid: number; stop(): Promise<void> }> {
  const child = spawn(process.execPath, ['src/start/both.ts'], { cwd: join(import.meta.dirname, '..'), env: { ...process.env, PORT: '0', DATA_DIR: folder, LOG_LEVEL: 'error' }, stdio: ['ignore', 'pipe', 'inherit'] })
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
  const kilobytes = new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
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

const gateway = await startGateway()
const run = async (action: string, body: object): Promise<{ ok: boolean; data: Slot & { used_bytes: number; quota_bytes: number } }> => {
  const reply = await fetch(`${gateway.url}/api/run/files/${action}`, { method: 'POST', headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' }, body: JSON.stringify(body) })
  return (await reply.json()) as Awaited<ReturnType<typeof run>>
}

async function upload({ put_url: link }: Slot): Promise<void> {
  const blocks = Readable.from((function* () {
    for (let at = 0; at < FILE_BYTES; at += MEGABYTE) yield block
  })())
  const reply = await fetch(link, { method: 'PUT', body: Readable.toWeb(blocks), headers: { 'content-length': String(FILE_BYTES) }, duplex: 'half' })
  if (!reply.ok) throw new RangeError(await reply.text())
}

async function downloadAll({ get_url: link }: Slot): Promise<void> {
  let bytes = 0
  for await (const chunk of (await fetch(link)).body ?? []) bytes += (chunk as Uint8Array).length
  if (bytes !== FILE_BYTES) throw new RangeError(`${bytes} bytes came`)
}

const newSlot = async (sizeBytes: number): Promise<Slot> => (await run('upload', { filename: 'bench.bin', size_bytes: sizeBytes })).data

try {
  const idle = memoryOf(gateway.pid, 'VmRSS')
  for (let round = 1; round <= 3; round += 1) {
    const slot = await newSlot(FILE_BYTES)
    const raw = await timed(async () => writeRaw())
    const up = await timed(() => upload(slot))
    const down = await timed(() => downloadAll(slot))
    process.stdout.write(`100 MB: raw write and sync ${raw} ms, up ${up} ms, down ${down} ms, memory ${memoryOf(gateway.pid, 'VmRSS')} MiB (idle ${idle})\n`)
    await run('delete', { file_id: slot.file_id })
  }
  const slots = await Promise.all(Array.from({ length: 8 }, () => newSlot(FILE_BYTES)))
  const together = await timed(() => Promise.all(slots.map(upload)))
  process.stdout.write(`8 × 100 MB at once: up ${together} ms, highest memory ${memoryOf(gateway.pid, 'VmHWM')} MiB\n`)
  await Promise.all(slots.map(({ file_id: fileId }) => run('delete', { file_id: fileId })))
  let won = 0
  const race = await timed(async () => {
    const results = await Promise.all(Array.from({ length: RACERS }, () => run('upload', { filename: 'racer', size_bytes: FILE_BYTES })))
    won = results.filter(({ ok }) => ok).length
  })
  const { used_bytes: used, quota_bytes: quota } = (await run('list', {})).data
  process.stdout.write(`${RACERS} racing uploads of 100 MB: ${won} of ${Math.floor(quota / FILE_BYTES)} won in ${race} ms, ${used} of ${quota} bytes taken\n`)
} finally {
  await gateway.stop()
}
