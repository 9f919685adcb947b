/** Trains one model in a thread, so that the folds of a cross-validation train side by side. */
import { parentPort, Worker, workerData } from 'node:worker_threads'
import type { BoostedTrees } from '../../src/lib/boosted-trees.ts'
import type { Rows } from '../learning/bins.ts'
import { boost, type BoostSettings } from '../learning/boost.ts'

type Work = { readonly rows: Rows; readonly settings: BoostSettings }

/** The same trees as `boost`. */
export function boostInThread(rows: Rows, settings: BoostSettings): Promise<BoostedTrees> {
  const work: Work = { rows, settings }
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: work })
    worker.once('message', resolve).once('error', reject)
  })
}

if (parentPort !== null) {
  const { rows, settings } = workerData as Work
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort.postMessage(boost(rows, settings))
}
