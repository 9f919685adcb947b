import type { CallTools } from '../../catalog/handlers.ts'
import { accept, memoryKey, type LadderParts } from './accept-reading.ts'
import { startClimb, type Climb } from './page-row.ts'
import { readInBatch, readInBrowser, readRaw, type Wish } from './readers.ts'

// Rows still climbing when the call is about to run out of time are answered as they are: the pages that were read
// are not lost to one slow page.
const RESERVE_MS = 5_000

/**
 * Climbs every page until a rung brings content that passes the yield check: first all pages in one batch without
 * scripts, then each in the renderer that does best on its host (the other one if that fails), then unblocked.
 */
export async function climbCheapLadder(parts: LadderParts, tools: CallTools, urls: readonly string[], wish: Wish): Promise<Climb[]> {
  const climbs = urls.map(startClimb)
  const outOfTime = AbortSignal.any([tools.signal, AbortSignal.timeout(Math.max(0, tools.timeoutMs - RESERVE_MS))])
  const climbing = climbAll(parts, tools, climbs, wish)
  await Promise.race([climbing, aborted(outOfTime)])
  // A copy: what a late reader still adds must not change an answer that is being written.
  return climbs.map((climb) => ({ ...climb, hops: [...climb.hops] }))
}

async function climbAll(parts: LadderParts, tools: CallTools, climbs: readonly Climb[], wish: Wish): Promise<void> {
  const [readings] = await Promise.all([readInBatch(tools, climbs.map(({ url }) => url), wish), parts.memory.prepare(climbs.map(({ url }) => memoryKey(tools, url)))])
  await Promise.all(
    climbs.map(async (climb, place) => {
      const first = readings[place]
      if (first !== undefined && accept(parts, climb, first)) return
      await climbHigher(parts, tools, climb, wish)
    }),
  )
}

async function climbHigher(parts: LadderParts, tools: CallTools, climb: Climb, wish: Wish): Promise<void> {
  const host = memoryKey(tools, climb.url)
  for (const provider of parts.memory.rank(host, ['render2', 'render'] as const)) {
    const reading = await readInBrowser(tools, provider, climb.url, wish)
    const isAccepted = accept(parts, climb, reading)
    if (reading.hop.skipped === undefined) parts.memory.record(host, provider, climb.winner?.judgement.yield ?? 0)
    if (isAccepted) return
  }
  accept(parts, climb, await readRaw(tools, 'cheapunblock', climb.url, wish, parts.extract))
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
