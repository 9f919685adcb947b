import { isElement, isText, type DomElement } from '../extract/dom.ts'
import type { Box, PageBlocks } from './read-blocks.ts'

/** Images stay where at least this share of the text around them stays. */
const IMAGE_SHARE = 0.5

/** Marks a box that stays, and adds nothing to the share of the text that stays. */
const KEPT_FOR_IMAGE = Number.MIN_VALUE

/**
 * Removes the text of all blocks that were not chosen, and the elements that are empty then; of
 * `figures`, everything but the images. Changes the tree.
 */
export function pruneBlocks(
  { boxes, blocks }: PageBlocks,
  { kept, figures = [] }: { kept: readonly boolean[]; figures?: readonly number[] },
): void {
  const keptSizes = new Float64Array(boxes.length)
  for (const figure of figures) keepImages(boxes, figure, keptSizes)
  const losesText = new Set<number>()
  blocks.forEach(({ box, size }, at) => {
    if (kept[at] !== true) {
      losesText.add(box)
      return
    }
    for (let above = box; above >= 0; above = boxes[above]?.parent ?? -1)
      keptSizes[above] = (keptSizes[above] ?? 0) + size
  })
  const elements = new Set(boxes.map(({ element }) => element))
  boxes.forEach((box, at) => {
    const isKept = at === 0 || (keptSizes[at] ?? 0) > 0
    if (isKept) {
      if (losesText.has(at)) removeOwnText(box.element, elements)
      return
    }
    // Removed together with the box around it.
    if (box.parent !== 0 && (keptSizes[box.parent] ?? 0) === 0) return
    if (isCell(box)) box.element.textContent = ''
    else if (!isIllustration(box, boxes[box.parent], keptSizes[box.parent] ?? 0))
      box.element.remove()
  })
}

function keepImages(boxes: readonly Box[], figure: number, keptSizes: Float64Array): void {
  for (let above = figure; above >= 0; above = boxes[above]?.parent ?? -1)
    keptSizes[above] = KEPT_FOR_IMAGE
  const { depth = 0 } = boxes[figure] ?? {}
  for (let inside = figure + 1; (boxes[inside]?.depth ?? 0) > depth; inside += 1)
    if ((boxes[inside]?.images ?? 0) > 0) keptSizes[inside] = KEPT_FOR_IMAGE
}

/** A row keeps its cells, so that columns stay aligned. */
function isCell({ tag }: Box): boolean {
  return tag === 'td' || tag === 'th'
}

/** An image or rule without text, next to content. */
function isIllustration(box: Box, parent: Box | undefined, keptOfParent: number): boolean {
  return (
    box.size === 0 &&
    parent !== undefined &&
    keptOfParent >= parent.size * IMAGE_SHARE &&
    (box.tag === 'hr' || box.images > 0)
  )
}

/** Removes the text of an element outside the boxes inside it. */
function removeOwnText(element: DomElement, boxes: ReadonlySet<DomElement>): void {
  for (const child of element.childNodes) {
    if (isText(child)) child.textContent = ''
    else if (isElement(child) && !boxes.has(child)) removeOwnText(child, boxes)
  }
}
