import type { JobTools } from '../../catalog/vocabulary/handlers.ts'
import { cents, type Micros } from '../../lib/money.ts'
import { namesView } from '../../reader/fetch/view-fragment.ts'
import { activeHops, trackActiveCalls } from '../shared/active-call.ts'
import { beforeDeadline } from '../shared/before-deadline.ts'
import { runInRowOrder } from '../shared/run-in-row-order.ts'
import { acceptDoubtful, acceptReading, memoryKey, type ReaderDeps } from './accept-reading.ts'
import { readByHttp } from './http-fallback.ts'
import type { PageTask } from './page-row.ts'
import { readInBatch } from './readers/batch.ts'
import { readInBrowser, readInStealth } from './readers/browser.ts'
import { countsForHost, type PageReading, type ReadOptions } from './readers/page-reading.ts'
import { readRaw } from './readers/raw.ts'
import { highestBatchPrice, shareBatchPrice } from './share-batch-price.ts'

/** A page costs the price of the tier that read it. Charges of other tiers are waived. */
export const MOST_EXPENSIVE_TIER = cents('4')
export const CHEAPEST_TIER = cents('1')

/**
 * Tries all six tiers for every page: all pages in one batch, then each page in both browsers (the
 * better one for its host first) and in the readers that get past blocks. Pages run concurrently
 * within `available`. If it does not cover them all, the order of the pages decides.
 */
export async function readByDeepChain(
  deps: ReaderDeps,
  tools: JobTools,
  tasks: readonly PageTask[],
  options: ReadOptions,
  available: Micros,
): Promise<PageTask[]> {
  const urls = tasks.map(({ url }) => url)
  tools.progress({ rows_done: 0, rows_total: urls.length })
  const [readings] = await Promise.all([
    readInBatch(tools, urls, options),
    deps.memory.prepare(urls.map((url) => memoryKey(tools, url))),
  ])
  tasks.forEach((task, place) => {
    const reading = readings[place]
    if (reading !== undefined) applyReading(deps, task, reading)
  })
  const batch = readings[0]?.call
  const reserved = batch === undefined ? 0n : highestBatchPrice(tasks, batch)
  if (batch !== undefined) tools.waive(batch, reserved)

  const open = tasks.filter(({ winner, refusal }) => winner === null && refusal === null)
  const report = () =>
    tools.progress({
      rows_done: urls.length - open.filter((task) => !ended.has(task)).length,
      rows_total: urls.length,
    })
  const ended = new Set(tasks.filter(({ refusal }) => refusal !== null))
  report()
  const rows = open.map((task) => ({
    most: MOST_EXPENSIVE_TIER,
    least: CHEAPEST_TIER,
    async run() {
      await tryLaterTiers(deps, trackActiveCalls(tools, [task]), task, options)
      ended.add(task)
      report()
      return BigInt(task.winner?.hop.charged_micros ?? 0)
    },
    skip() {
      task.cutShort ??= 'over budget'
      ended.add(task)
    },
  }))
  await beforeDeadline(tools, runInRowOrder(available - reserved, rows))
  tasks.forEach(acceptDoubtful)
  // The vendor also charges for pages that showed a wall.
  if (batch !== undefined) tools.waive(batch, shareBatchPrice(tasks, batch))
  // Copies, because a late reader may still change the tasks.
  return tasks.map((task) => ({
    ...task,
    hops: [...task.hops, ...activeHops(task, tools.now())],
    cutShort: task.winner === null && !ended.has(task) ? 'deadline' : task.cutShort,
  }))
}

async function tryLaterTiers(
  deps: ReaderDeps,
  tools: JobTools,
  task: PageTask,
  options: ReadOptions,
): Promise<void> {
  const byHttp = await readByHttp(tools, task, options)
  if (byHttp !== null && endsWith(deps, tools, task, byHttp)) return
  const { address: url } = task
  const host = memoryKey(tools, url)
  for (const provider of deps.memory.rank(host, ['render2', 'render'] as const)) {
    const reading = await readInBrowser(tools, provider, url, options)
    const isOver = endsWith(deps, tools, task, reading)
    if (countsForHost(reading))
      deps.memory.record(host, provider, task.winner?.judgement.yield ?? 0)
    if (isOver) return
  }
  // A page that was read needs no reader for blocked pages.
  if (task.doubtful !== null) return
  const raw = ['cheapunblock', 'unblock', 'proxy'] as const
  // Raw readers run no scripts, which alone show a view.
  const tiers = [...(namesView(url) ? [] : raw), 'stealth' as const]
  for (const tier of tiers) {
    const reading =
      tier === 'stealth'
        ? await readInStealth(tools, url, options)
        : await readRaw(tools, tier, url, options, deps.extract)
    if (tier !== 'cheapunblock' && reading.hop.skipped === undefined) task.isHard = true
    if (endsWith(deps, tools, task, reading)) return
  }
  if (task.hops.some(({ skipped }) => skipped === 'over_budget')) task.cutShort = 'over budget'
}

/** Applies a reading and waives each charge that no row needs. Returns whether the page is finished. */
function endsWith(
  deps: ReaderDeps,
  tools: JobTools,
  task: PageTask,
  reading: PageReading,
): boolean {
  const before = task.doubtful
  const isRead = applyReading(deps, task, reading)
  const needed = (task.winner ?? task.doubtful)?.call
  // The price of the batch is shared at the end.
  const replaced = before !== null && before.hop === before.call ? [before.call] : []
  for (const call of [reading.call, ...replaced])
    if (call !== needed && call.charged_micros > 0) tools.waive(call)
  return isRead || task.refusal !== null || task.cutShort !== null
}

function applyReading(deps: ReaderDeps, task: PageTask, reading: PageReading): boolean {
  const { skipped } = reading.hop
  if (skipped === 'cancelled' || skipped === 'deadline') task.cutShort = skipped
  return acceptReading(deps, task, reading)
}
