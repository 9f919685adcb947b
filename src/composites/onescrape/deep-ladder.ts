import type { JobTools } from '../../catalog/vocabulary/handlers.ts'
import { cents, type Micros } from '../../lib/money.ts'
import { beforeTimeIsUp } from '../shared/before-time-is-up.ts'
import { runInRowOrder } from '../shared/in-row-order.ts'
import { hopsUnderWay, noting } from '../shared/under-way.ts'
import { accept, memoryKey, type LadderParts } from './accept-reading.ts'
import { readOverHttp } from './over-http.ts'
import type { Climb } from './page-row.ts'
import {
  readInBatch,
  readInBrowser,
  readInStealth,
  readRaw,
  tellsOfHost,
  type PageReading,
  type Wish,
} from './readers.ts'
import { shareBatch } from './share-batch.ts'

/** The dearest rung: a page costs what the rung that read it costs, and a rung that was blocked gives its charge back. */
export const DEAREST_RUNG = cents('4')
export const CHEAPEST_RUNG = cents('1')

/**
 * Climbs every page through all six rungs: all pages in one batch without scripts, then each by the renderer that does
 * best on its host, the other one, and the four that get past blocks. Pages climb side by side within `available`;
 * which ones it does not cover is decided in their order.
 */
export async function climbDeepLadder(
  parts: LadderParts,
  tools: JobTools,
  climbs: readonly Climb[],
  wish: Wish,
  available: Micros,
): Promise<Climb[]> {
  const urls = climbs.map(({ url }) => url)
  tools.progress({ rows_done: 0, rows_total: urls.length })
  const [readings] = await Promise.all([
    readInBatch(tools, urls, wish),
    parts.memory.prepare(urls.map((url) => memoryKey(tools, url))),
  ])
  climbs.forEach((climb, place) => {
    const reading = readings[place]
    if (reading !== undefined) settle(parts, climb, reading)
  })
  const spent = payBatch(tools, climbs, readings)

  const open = climbs.filter(({ winner, refusal }) => winner === null && refusal === null)
  const report = () =>
    tools.progress({
      rows_done: urls.length - open.filter((climb) => !ended.has(climb)).length,
      rows_total: urls.length,
    })
  const ended = new Set(climbs.filter(({ refusal }) => refusal !== null))
  report()
  const rows = open.map((climb) => ({
    most: DEAREST_RUNG,
    least: CHEAPEST_RUNG,
    async run() {
      await climbHigher(parts, noting(tools, [climb]), climb, wish)
      ended.add(climb)
      report()
      return BigInt(climb.winner?.hop.charged_micros ?? 0)
    },
    passOver() {
      climb.cutShort ??= 'over budget'
      ended.add(climb)
    },
  }))
  await beforeTimeIsUp(tools, runInRowOrder(available - spent, rows))
  // A copy: what a late reader still adds must not change an answer that is being written.
  return climbs.map((climb) => ({
    ...climb,
    hops: [...climb.hops, ...hopsUnderWay(climb, tools.now())],
    cutShort: climb.winner === null && !ended.has(climb) ? 'deadline' : climb.cutShort,
  }))
}

async function climbHigher(
  parts: LadderParts,
  tools: JobTools,
  climb: Climb,
  wish: Wish,
): Promise<void> {
  const overHttp = await readOverHttp(tools, climb, wish)
  if (overHttp !== null && take(parts, tools, climb, overHttp)) return
  const { address: url } = climb
  const host = memoryKey(tools, url)
  for (const provider of parts.memory.rank(host, ['render2', 'render'] as const)) {
    const reading = await readInBrowser(tools, provider, url, wish)
    const isOver = take(parts, tools, climb, reading)
    if (tellsOfHost(reading))
      parts.memory.record(host, provider, climb.winner?.judgement.yield ?? 0)
    if (isOver) return
  }
  if (take(parts, tools, climb, await readRaw(tools, 'cheapunblock', url, wish, parts.extract)))
    return
  const hardRungs = [
    () => readRaw(tools, 'unblock', url, wish, parts.extract),
    () => readRaw(tools, 'proxy', url, wish, parts.extract),
    () => readInStealth(tools, url, wish),
  ]
  for (const read of hardRungs) {
    const reading = await read()
    if (reading.hop.skipped === undefined) climb.isHard = true
    if (take(parts, tools, climb, reading)) return
  }
  if (climb.hops.some(({ skipped }) => skipped === 'over_budget')) climb.cutShort = 'over budget'
}

/** Judges a reading of one page and gives the charge of a blocked one back. True when the climb is over. */
function take(parts: LadderParts, tools: JobTools, climb: Climb, reading: PageReading): boolean {
  const isRead = settle(parts, climb, reading)
  if (!isRead && reading.call.charged_micros > 0) tools.waive(reading.call)
  return isRead || climb.refusal !== null || climb.cutShort !== null
}

function settle(parts: LadderParts, climb: Climb, reading: PageReading): boolean {
  const { skipped } = reading.hop
  if (skipped === 'cancelled' || skipped === 'deadline') climb.cutShort = skipped
  return accept(parts, climb, reading)
}

/** Shares the batch among the pages that it read, and gives the rest of it back. Returns what it took of the budget. */
function payBatch(
  tools: JobTools,
  climbs: readonly Climb[],
  [first]: readonly PageReading[],
): Micros {
  if (first === undefined || first.call.charged_micros === 0) return 0n
  const price = shareBatch(climbs, first.call)
  // The vendor counts walls among the pages that it brought.
  tools.waive(first.call, price)
  return price
}
