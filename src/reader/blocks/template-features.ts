import type { Block, Box } from './read-blocks.ts'
import type { TextFigures } from './text-figures.ts'

/** Names of `templateFeatures`, in order. */
export const TEMPLATE_FEATURES: readonly string[] = [
  'template: levels below',
  'template: items',
  'template: share of page',
  'template: size of an item',
  'template: link density',
  'template: images of an item',
  'template: prices of an item',
  'template: rank',
  'template: share of item',
  'template: item of all',
  'window: size',
  'window: link density',
  'window: prose share',
  'prose share before',
]
/** Names of `templatePageFeatures`, in order. */
export const TEMPLATE_PAGE_FEATURES: readonly string[] = [
  'page template: items',
  'page template: share of page',
  'page template: size of an item',
  'page template: link density',
  'page templates',
]

/** Boxes of one parent with the same tag and first class, such as the cards of a list. */
type Template = {
  items: number
  size: number
  linkSize: number
  images: number
  prices: number
  rank: number
}
export type Templates = {
  readonly bySignature: ReadonlyMap<string, Template>
  /** Of most text first. */
  readonly ranked: readonly Template[]
  /** Place of each box among the items of its template. */
  readonly places: Uint16Array
  /** Text of prose blocks before each block, as a share of all text. */
  readonly proseBefore: Float32Array
}

const LEAST_ITEMS = 3
const HIGHEST_LEVEL = 6
const WINDOW = 8

/** Finds the repeated boxes of a page. */
export function readTemplates(
  boxes: readonly Box[],
  blocks: readonly Block[],
  figures: readonly TextFigures[],
): Templates {
  const bySignature = new Map<string, Template>()
  const places = new Uint16Array(boxes.length)
  const prices = countPrices(boxes, blocks, figures)
  boxes.forEach((box, at) => {
    const template = bySignature.get(box.signature) ?? {
      items: 0,
      size: 0,
      linkSize: 0,
      images: 0,
      prices: 0,
      rank: 0,
    }
    places[at] = template.items
    template.items += 1
    template.size += box.size
    template.linkSize += box.linkSize
    template.images += box.images
    template.prices += prices[at] ?? 0
    bySignature.set(box.signature, template)
  })
  const ranked = [...bySignature.values()]
    .filter(({ items }) => items >= LEAST_ITEMS)
    .toSorted((one, other) => other.size - one.size)
  for (const [rank, template] of ranked.entries()) template.rank = rank
  const whole = Math.max(1, boxes[0]?.size ?? 1)
  let prose = 0
  const proseBefore = Float32Array.from(figures, ({ isProse, size }) => {
    const before = prose / whole
    if (isProse) prose += size
    return before
  })
  return { bySignature, ranked, places, proseBefore }
}

/** Blocks with a price in each box. */
function countPrices(
  boxes: readonly Box[],
  blocks: readonly Block[],
  figures: readonly TextFigures[],
): Uint16Array {
  const prices = new Uint16Array(boxes.length)
  blocks.forEach(({ box }, at) => {
    if (figures[at]?.isPrice !== 1) return
    for (let above = box; above >= 0; above = boxes[above]?.parent ?? -1)
      prices[above] = (prices[above] ?? 0) + 1
  })
  return prices
}

/** The repeated box around a block, and the blocks near it. */
export function templateFeatures(
  { bySignature, places, proseBefore }: Templates,
  boxes: readonly Box[],
  figures: readonly TextFigures[],
  { box, size }: Block,
  at: number,
): number[] {
  const whole = Math.max(1, boxes[0]?.size ?? 1)
  let [found, level] = [box, 0]
  while (level <= HIGHEST_LEVEL && found >= 0 && !isItem(found)) {
    found = boxes[found]?.parent ?? -1
    level += 1
  }
  const template = isItem(found) ? bySignature.get(boxes[found]?.signature ?? '') : undefined
  const near = windowFigures(figures, at)
  if (template === undefined) return [-1, 0, 0, 0, 0, 0, 0, 50, 1, 0, ...near, proseBefore[at] ?? 0]
  const { items } = template
  return [
    level,
    Math.min(100, items),
    template.size / whole,
    Math.log1p(template.size / items),
    template.linkSize / Math.max(1, template.size),
    template.images / items,
    template.prices / items,
    Math.min(50, template.rank),
    size / Math.max(1, boxes[found]?.size ?? 1),
    (places[found] ?? 0) / items,
    ...near,
    proseBefore[at] ?? 0,
  ]

  function isItem(one: number): boolean {
    return (bySignature.get(boxes[one]?.signature ?? '')?.items ?? 0) >= LEAST_ITEMS
  }
}

function windowFigures(figures: readonly TextFigures[], at: number): number[] {
  let [size, links, prose] = [0, 0, 0]
  for (let near = Math.max(0, at - WINDOW); near <= at + WINDOW; near += 1) {
    const figure = figures[near]
    if (figure === undefined) break
    size += figure.size
    links += figure.size * figure.linkDensity
    if (figure.isProse) prose += figure.size
  }
  return [Math.log1p(size), links / Math.max(1, size), prose / Math.max(1, size)]
}

/** The repeated boxes with the most text, which show whether a page is a list. */
export function templatePageFeatures({ ranked }: Templates, boxes: readonly Box[]): number[] {
  const whole = Math.max(1, boxes[0]?.size ?? 1)
  const [first] = ranked
  if (first === undefined) return [0, 0, 0, 0, 0]
  return [
    Math.min(100, first.items),
    first.size / whole,
    Math.log1p(first.size / first.items),
    first.linkSize / Math.max(1, first.size),
    Math.log1p(ranked.length),
  ]
}
