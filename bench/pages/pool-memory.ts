/**
 * Reads the gold pages through the product's own path, a worker of the extraction pool, and prints the worker's peak
 * memory in MiB. Linux only. `extraction.ts` starts it.
 *   npx node bench/pages/pool-memory.ts <folder of the gold sets> <step>
 */
import { readFileSync } from 'node:fs'
import { createExtractionPool } from '../../src/reader/extract/extraction-pool.ts'
import { goldPages } from './gold.ts'

const [folder = '', step = '1'] = process.argv.slice(2)
const pool = createExtractionPool({ workers: 1 })
const visitor = { accountId: 'bench', signal: new AbortController().signal }
let failures = 0
let peak = 0
for (const set of ['wcxb-dev', 'trafilatura'] as const)
  for await (const { html, url } of goldPages(folder, set, Number(step))) {
    const input = { html, url, format: 'markdown', mainContent: true, status: 200 } as const
    await pool.run(input, visitor).catch(() => (failures += 1))
    peak = Math.max(peak, ...childPeaks())
  }
process.stdout.write(JSON.stringify({ peakMib: peak, failures }))
await pool.close()

/** The peak memory of each child process. */
function childPeaks(): number[] {
  const { pid } = process
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
  return children.split(' ').map((child) => {
    const status = readFileSync(`/proc/${child}/status`, 'utf8')
    return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024
  })
}
