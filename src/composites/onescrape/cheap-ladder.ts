import type { CallTools } from '../../catalog/vocabulary/handlers.ts'
import { beforeTimeIsUp } from '../shared/before-time-is-up.ts'
import { hopsUnderWay, noting } from '../shared/under-way.ts'
import { accept, memoryKey, type LadderParts } from './accept-reading.ts'
import { readOverHttp } from './over-http.ts'
import type { Climb } from './page-row.ts'
import { readInBatch, readInBrowser, readRaw, tellsOfHost, type Wish } from './readers.ts'
import { shareBatch } from './share-batch.ts'

/**
 * Climbs every page until a rung brings content that passes the yield check: first all pages in one batch without
 * scripts, then each in the renderer that does best on its host (the other one if that fails), then unblocked.
 */
export async function climbCheapLadder(
  parts: LadderParts,
  tools: CallTools,
  climbs: readonly Climb[],
  wish: Wish,
): Promise<Climb[]> {
  await beforeTimeIsUp(tools, climbAll(parts, tools, climbs, wish))
  // A copy: what a late reader still adds must not change an answer that is being written.
  return climbs.map((climb) => ({
    ...climb,
    hops: [...climb.hops, ...hopsUnderWay(climb, tools.now())],
  }))
}

async function climbAll(
  parts: LadderParts,
  tools: CallTools,
  climbs: readonly Climb[],
  wish: Wish,
): Promise<void> {
  const [readings] = await Promise.all([
    readInBatch(
      noting(tools, climbs),
      climbs.map(({ url }) => url),
      wish,
    ),
    parts.memory.prepare(climbs.map(({ url }) => memoryKey(tools, url))),
  ])
  climbs.forEach((climb, place) => {
    const first = readings[place]
    if (first !== undefined) accept(parts, climb, first)
  })
  const [first] = readings
  if (first !== undefined) shareBatch(climbs, first.call)
  // The call will be refused, so nothing more is asked for it.
  if (climbs.some(({ refusal }) => refusal !== null)) return
  await Promise.all(
    climbs
      .filter(({ winner }) => winner === null)
      .map((climb) => climbHigher(parts, noting(tools, [climb]), climb, wish)),
  )
}

async function climbHigher(
  parts: LadderParts,
  tools: CallTools,
  climb: Climb,
  wish: Wish,
): Promise<void> {
  const overHttp = await readOverHttp(tools, climb, wish)
  if (overHttp !== null && (accept(parts, climb, overHttp) || overHttp.refusal !== null)) return
  const host = memoryKey(tools, climb.url)
  for (const provider of parts.memory.rank(host, ['render2', 'render'] as const)) {
    const reading = await readInBrowser(tools, provider, climb.address, wish)
    const isAccepted = accept(parts, climb, reading)
    if (tellsOfHost(reading))
      parts.memory.record(host, provider, climb.winner?.judgement.yield ?? 0)
    if (isAccepted || reading.refusal !== null) return
  }
  accept(parts, climb, await readRaw(tools, 'cheapunblock', climb.address, wish, parts.extract))
}
