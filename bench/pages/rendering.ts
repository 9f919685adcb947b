/**
 * Measures the renderer on 200 local pages that load as applications of ten frameworks do, or of ten other shapes.
 * Prints the time of a page, pages per second and per second of CPU, and the pages whose last sentence was read.
 *   npx node bench/pages/rendering.ts [--set frameworks|shapes] [--pages 200] [--concurrency 3]
 */
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parseArgs } from 'node:util'
import { systemClock } from '../../src/lib/clock.ts'
import { createBrowser } from '../../src/reader/render/browser.ts'
import { createRenderer } from '../../src/reader/render/render.ts'
import { createGuard } from '../../src/upstream/guard.ts'
import { quantile } from './gold.ts'
import { FRAMEWORKS } from './framework-sites.ts'
import { answerSite, marker, SHAPES, type Kind } from './rendered-sites.ts'

const { values } = parseArgs({
  options: {
    set: { type: 'string', default: 'frameworks' },
    pages: { type: 'string', default: '200' },
    concurrency: { type: 'string', default: '3' },
    cache: { type: 'string', default: '.tollgate' },
  },
})
const print = (line: string) => process.stdout.write(`${line}\n`)
const kinds: readonly Kind[] = values.set === 'shapes' ? SHAPES : FRAMEWORKS

const server = createServer(answerSite)
await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve))
const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const guard = createGuard({ allowPrivateNetworks: ['127.0.0.0/8'], ownPages: [] })
const concurrency = Number(values.concurrency)
const browser = createBrowser({
  guard,
  userAgent: 'Tollgate-Bench/1.0',
  concurrency,
  cacheFolder: values.cache,
  searchPath: process.env['PATH'] ?? '',
  allowUnsandboxed: true,
  now: systemClock,
})
const render = createRenderer({ browser, guard, now: systemClock })

/** CPU milliseconds of all processes below this one, and of this one. */
function cpuMs(): number {
  const stats = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
        const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
        return [
          {
            pid,
            parent: fields[1] ?? '',
            ticks:
              Number(fields[11]) + Number(fields[12]) + Number(fields[13]) + Number(fields[14]),
          },
        ]
      } catch {
        return []
      }
    })
  const below = (parent: string): number =>
    stats
      .filter((one) => one.parent === parent)
      .reduce((sum, one) => sum + one.ticks + below(one.pid), 0)
  return (
    (stats.find(({ pid }) => pid === String(process.pid))?.ticks ?? 0) * 10 +
    below(String(process.pid)) * 10
  )
}

type Measured = { kind: Kind; ms: number; isWhole: boolean }

async function readOne(kind: Kind, page: number): Promise<Measured> {
  const started = performance.now()
  const read = await render({
    url: `${base}/page/${kind}/${page}`,
    waitForMs: 0,
    timeoutMs: 60_000,
    signal: new AbortController().signal,
    accountId: `account-${page % 7}`,
    includesScreenshot: false,
  })
  const isWhole = read.kind === 'rendered' && read.html.includes(marker(kind, page))
  return { kind, ms: performance.now() - started, isWhole }
}

// The first page starts the browser.
await readOne('static', 0)
const tasks = Array.from({ length: Number(values.pages) }, (_task, index) => ({
  kind: kinds[index % kinds.length] as Kind,
  page: Math.floor(index / kinds.length) + 1,
}))
const measured: Measured[] = []
const [startedMs, startedCpu] = [performance.now(), cpuMs()]
let next = 0
await Promise.all(
  Array.from({ length: concurrency }, async () => {
    for (let task = tasks[next++]; task !== undefined; task = tasks[next++])
      measured.push(await readOne(task.kind, task.page))
  }),
)
const [seconds, cpuSeconds] = [
  (performance.now() - startedMs) / 1_000,
  (cpuMs() - startedCpu) / 1_000,
]
const line = (name: string, rows: readonly Measured[]): void => {
  const ms = rows.map((row) => row.ms)
  print(
    `| ${name} | ${quantile(ms, 0.5).toFixed(0)} | ${quantile(ms, 0.95).toFixed(0)} | ${rows.filter((row) => row.isWhole).length} of ${rows.length} |`,
  )
}
print('| page | p50 ms | p95 ms | read whole |\n|---|---|---|---|')
for (const kind of kinds)
  line(
    kind,
    measured.filter((row) => row.kind === kind),
  )
line('all', measured)
print(
  `\n${measured.length} pages in ${seconds.toFixed(1)} s with ${concurrency} at a time: ${(measured.length / seconds).toFixed(2)} pages/s; ${cpuSeconds.toFixed(1)} s of CPU, ${(measured.length / cpuSeconds).toFixed(2)} pages per second of CPU`,
)
await browser.close()
await guard.close()
server.closeAllConnections()
server.close()
