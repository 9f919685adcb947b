import type { Block, Box } from './read-blocks.ts'
import type { TextFigures } from './text-figures.ts'

/** The box that holds an article's paragraphs, by the scores of Readability. */
export type ProseCore = {
  /** Index of the box; the root without any prose. */
  readonly box: number
  /** Score of each box, divided by the score of the core. */
  readonly scores: Float32Array
  /** First and last block inside the core. */
  readonly first: number
  readonly last: number
}

const LEAST_SIZE = 25

/** Paragraphs score by length and commas for the two boxes around them; links lower a box's score. */
export function findProseCore(
  boxes: readonly Box[],
  blocks: readonly Block[],
  figures: readonly TextFigures[],
): ProseCore {
  const scores = new Float32Array(boxes.length)
  blocks.forEach(({ box, size }, at) => {
    const own = figures[at]
    if (own === undefined || size < LEAST_SIZE || own.linkDensity > 0.5) return
    const points = 1 + own.punctuation * (size / 40) + Math.min(3, size / 100)
    const parent = boxes[box]?.parent ?? -1
    const grandparent = boxes[parent]?.parent ?? -1
    if (parent >= 0) scores[parent] = (scores[parent] ?? 0) + points
    if (grandparent >= 0) scores[grandparent] = (scores[grandparent] ?? 0) + points / 2
  })
  let core = 0
  for (const [at, { size, linkSize }] of boxes.entries()) {
    scores[at] = (scores[at] ?? 0) * (1 - linkSize / Math.max(1, size))
    if ((scores[at] ?? 0) > (scores[core] ?? 0)) core = at
  }
  const best = Math.max(1e-6, scores[core] ?? 0)
  const isInside = (box: number): boolean => {
    for (let at = box; at >= core; at = boxes[at]?.parent ?? -1) if (at === core) return true
    return false
  }
  const inside = blocks.flatMap(({ box }, at) => (isInside(box) ? [at] : []))
  return {
    box: core,
    scores: scores.map((score) => score / best),
    first: inside[0] ?? 0,
    last: inside.at(-1) ?? blocks.length,
  }
}
