import type { CallTools, Hop } from '../../catalog/vocabulary/handlers.ts'
import { namesView } from '../../reader/fetch/view-fragment.ts'
import { activeHops, trackActiveCalls } from '../shared/active-call.ts'
import { beforeDeadline } from '../shared/before-deadline.ts'
import { acceptDoubtful, acceptReading, memoryKey, type ReaderDeps } from './accept-reading.ts'
import { readByHttp } from './http-fallback.ts'
import type { PageTask } from './page-row.ts'
import { readInBatch } from './readers/batch.ts'
import { readInBrowser } from './readers/browser.ts'
import { countsForHost, type ReadOptions } from './readers/page-reading.ts'
import { readParts } from './readers/parts.ts'
import { readRaw } from './readers/raw.ts'
import { shareBatchPrice } from './share-batch-price.ts'

/**
 * Tries the cheap tiers for every page until one returns content that passes the judge: all pages
 * in one batch, then each page in both browsers (the better one for its host first), then
 * `cheapunblock`. A page that the batch reads with a low yield is tried in the browsers too.
 */
export async function readByCheapChain(
  deps: ReaderDeps,
  tools: CallTools,
  tasks: readonly PageTask[],
  options: ReadOptions,
): Promise<PageTask[]> {
  let batch: Hop | undefined
  await beforeDeadline(
    tools,
    readAll(deps, tools, tasks, options, (call) => (batch = call)),
  )
  tasks.forEach(acceptDoubtful)
  if (batch !== undefined) shareBatchPrice(tasks, batch)
  // Copies, because a late reader may still change the tasks.
  return tasks.map((task) => ({
    ...task,
    hops: [...task.hops, ...activeHops(task, tools.now())],
  }))
}

async function readAll(
  deps: ReaderDeps,
  tools: CallTools,
  tasks: readonly PageTask[],
  options: ReadOptions,
  onBatch: (call: Hop) => void,
): Promise<void> {
  const [readings] = await Promise.all([
    // The batch reader returns no source to select parts from.
    options.parts === undefined
      ? readInBatch(
          trackActiveCalls(tools, tasks),
          tasks.map(({ url }) => url),
          options,
        )
      : [],
    deps.memory.prepare(tasks.map(({ url }) => memoryKey(tools, url))),
  ])
  tasks.forEach((task, place) => {
    const first = readings[place]
    if (first !== undefined) acceptReading(deps, task, first)
  })
  const [first] = readings
  if (first !== undefined) onBatch(first.call)
  // One refused address rejects the whole call, so further readers would be wasted.
  if (tasks.some(({ refusal }) => refusal !== null)) return
  await Promise.all(
    tasks
      .filter(({ winner }) => winner === null)
      .map((task) => tryLaterTiers(deps, trackActiveCalls(tools, [task]), task, options)),
  )
}

async function tryLaterTiers(
  deps: ReaderDeps,
  tools: CallTools,
  task: PageTask,
  options: ReadOptions,
): Promise<void> {
  const byHttp = options.parts === undefined ? await readByHttp(tools, task, options) : null
  if (byHttp !== null && (acceptReading(deps, task, byHttp) || byHttp.refusal !== null)) return
  const host = memoryKey(tools, task.url)
  for (const provider of deps.memory.rank(host, ['render2', 'render'] as const)) {
    const reading =
      options.parts === undefined
        ? await readInBrowser(tools, provider, task.address, options)
        : await readParts(tools, provider, task.address, options, deps.extract)
    const isAccepted = acceptReading(deps, task, reading)
    if (countsForHost(reading))
      deps.memory.record(host, provider, task.winner?.judgement.yield ?? 0)
    if (isAccepted || reading.refusal !== null) return
  }
  // A page that was read needs no reader for blocked pages, which also run no scripts.
  if (task.doubtful !== null || namesView(task.url)) return
  acceptReading(
    deps,
    task,
    await readRaw(tools, 'cheapunblock', task.address, options, deps.extract),
  )
}
