import { isElement, isText, type DomElement } from '../extract/dom.ts'
import type { Box, PageBlocks } from './read-blocks.ts'

/** Images stay where at least this share of the text around them stays. */
const IMAGE_SHARE = 0.5

/** Removes the text of all blocks that were not chosen, and the elements that are empty then. Changes the tree. */
export function pruneBlocks({ boxes, blocks }: PageBlocks, kept: readonly boolean[]): void {
  const keptSizes = new Float64Array(boxes.length)
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
