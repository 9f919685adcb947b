/** The numbers by which the classifier judges each text block of a page. */
import { classKey, FARTHEST_BLOCK, readBlockContext, type BlockContext } from './block-context.ts'
import { GROUP_NAMES } from './class-groups.ts'
import type { PageFacts } from './page-facts.ts'
import { PAGE_FEATURES, readPageFeatures } from './page-features.ts'
import type { ProseCore } from './prose-core.ts'
import {
  readTemplates,
  TEMPLATE_FEATURES,
  TEMPLATE_PAGE_FEATURES,
  templateFeatures,
  templatePageFeatures,
} from './template-features.ts'
import { ANCESTORS, type Block, type Box, type PageBlocks } from './read-blocks.ts'
import type { TextFigures } from './text-figures.ts'

const ANCESTOR_LEVELS = [1, 2, 3, 5, 8]
const NEIGHBOURS = [-3, -2, -1, 1, 2, 3]
const FARTHEST_GROUP = 12

/** Names of the columns of `blockFeatures`, in order. A model is valid for exactly these. */
export const FEATURES: readonly string[] = [
  'size',
  'words',
  'link density',
  'punctuation',
  'ends sentence',
  'digits',
  'upper case',
  'dense script',
  'boilerplate words',
  'date',
  'price',
  'elsewhere words',
  'tag',
  'heading level',
  'links',
  'links in page',
  'links to other hosts',
  'word length',
  'repeats',
  'title overlap',
  'description overlap',
  'position in blocks',
  'position in text',
  'depth',
  'blocks since heading',
  'heading above: level',
  'heading above: elsewhere words',
  'heading above: title overlap',
  'section above: level',
  'section above: distance',
  'section above: elsewhere words',
  'article around: share of page',
  'blocks since title',
  'blocks since prose',
  'blocks until prose',
  'core: distance in blocks',
  'core: levels below',
  'core: score around',
  'core: share of page',
  'siblings',
  'box children',
  'box images',
  'same class: blocks',
  'same class: mean size',
  'same class: link density',
  ...ANCESTORS.map((tag) => `in ${tag}`),
  ...GROUP_NAMES.map((group) => `class ${group}`),
  ...ANCESTOR_LEVELS.flatMap((level) =>
    [
      'size',
      'link density',
      'share of page',
      'paragraphs',
      'blocks',
      'siblings',
      'size per block',
      'images',
    ].map((name) => `ancestor ${level}: ${name}`),
  ),
  ...NEIGHBOURS.flatMap((offset) =>
    ['size', 'link density', 'punctuation', 'tag', 'elsewhere words'].map(
      (name) => `neighbour ${offset}: ${name}`,
    ),
  ),
  ...PAGE_FEATURES,
  ...TEMPLATE_PAGE_FEATURES,
  ...TEMPLATE_FEATURES,
]

/** Row-major values, one row of `FEATURES` per block. */
export function blockFeatures(page: PageBlocks, facts: PageFacts): Float32Array {
  const columns = FEATURES.length
  const { boxes, blocks } = page
  const values = new Float32Array(columns * blocks.length)
  const context = readBlockContext(page, facts)
  const templates = readTemplates(boxes, blocks, context.figures)
  const shared = [
    ...readPageFeatures(boxes, blocks, context.figures, facts),
    ...templatePageFeatures(templates, boxes),
  ]
  blocks.forEach((block, at) => {
    const box = boxes[block.box] as Box
    values.set(
      [
        ...ownFeatures(context, block, at),
        ...contextFeatures(context, block, at),
        ...ANCESTORS.map((_, bit) => (box.ancestors >> bit) & 1),
        ...Array.from(box.groups, (distance) => Math.min(FARTHEST_GROUP, distance)),
        ...ancestorFeatures(context, block.box),
        ...NEIGHBOURS.flatMap((offset) => neighbourFeatures(context, at + offset)),
        ...shared,
        ...templateFeatures(templates, boxes, context.figures, block, at),
      ],
      at * columns,
    )
  })
  return values
}

function ownFeatures(
  { boxes, figures, repeats, tags, ...context }: BlockContext,
  block: Block,
  at: number,
): number[] {
  const own = figures[at] as TextFigures
  const box = boxes[block.box] as Box
  return [
    Math.log1p(own.size),
    Math.log1p(own.words),
    own.linkDensity,
    own.punctuation,
    own.endsSentence,
    own.digits,
    own.upper,
    own.dense,
    own.isBoilerplate,
    own.isDate,
    own.isPrice,
    own.isElsewhere,
    tags[at] ?? -1,
    Number(/^h([1-6])$/.exec(box.tag)?.[1] ?? 0),
    block.links,
    block.inPageLinks,
    block.foreignLinks,
    Math.log1p(own.size / Math.max(1, own.words)),
    Math.min(10, repeats.get(block.text) ?? 1),
    context.titleOverlaps[at] ?? 0,
    context.descriptionOverlaps[at] ?? 0,
  ]
}

function contextFeatures(
  { boxes, figures, core, siblings, sameClass, ...context }: BlockContext,
  block: Block,
  at: number,
): number[] {
  const box = boxes[block.box] as Box
  const heading = context.headings[at]
  const section = context.sections[at]
  const group = sameClass.get(classKey(boxes, block.box))
  const around = scoreAround(boxes, core, block.box)
  const distance = at < core.first ? at - core.first : Math.max(0, at - core.last)
  return [
    at / figures.length,
    (context.before[at] ?? 0) / context.whole,
    Math.min(FARTHEST_BLOCK, box.depth),
    heading === undefined ? FARTHEST_BLOCK : Math.min(FARTHEST_BLOCK, at - heading.at),
    heading?.level ?? 7,
    heading?.elsewhere ?? 0,
    heading?.title ?? 0,
    section?.level ?? 7,
    section === undefined ? FARTHEST_BLOCK * 2 : Math.min(FARTHEST_BLOCK * 2, at - section.at),
    section?.elsewhere ?? 0,
    articleShare(boxes, block.box) / context.whole,
    context.titleAt < 0
      ? -FARTHEST_BLOCK - 1
      : Math.max(-FARTHEST_BLOCK, Math.min(FARTHEST_BLOCK, at - context.titleAt)),
    context.sinceProse[at] ?? 0,
    context.untilProse[at] ?? 0,
    Math.max(-FARTHEST_BLOCK, Math.min(FARTHEST_BLOCK, distance)),
    around.levels,
    around.score,
    (boxes[core.box]?.size ?? 0) / context.whole,
    Math.min(50, siblings.get(box.signature) ?? 0),
    Math.min(50, box.children),
    Math.min(20, box.images),
    Math.min(200, group?.blocks ?? 1),
    Math.log1p((group?.size ?? 0) / (group?.blocks ?? 1)),
    (group?.linkSize ?? 0) / Math.max(1, group?.size ?? 1),
  ]
}

/** Size of the article element around a box; 0 outside. */
function articleShare(boxes: readonly Box[], from: number): number {
  for (let at = from; at >= 0; at = boxes[at]?.parent ?? -1)
    if (boxes[at]?.tag === 'article') return boxes[at]?.size ?? 0
  return 0
}

/** The levels from a box up to the prose core, -1 outside, and the best score on the way up. */
function scoreAround(
  boxes: readonly Box[],
  core: ProseCore,
  from: number,
): { readonly levels: number; readonly score: number } {
  let score = 0
  let levels = 0
  for (let at = boxes[from]?.parent ?? -1; at > 0; at = boxes[at]?.parent ?? -1) {
    levels += 1
    if (levels <= 3) score = Math.max(score, core.scores[at] ?? 0)
    if (at === core.box) return { levels, score }
  }
  return { levels: core.box === 0 ? levels : -1, score }
}

function ancestorFeatures({ boxes, siblings, whole }: BlockContext, from: number): number[] {
  const features: number[] = []
  let at = from
  let level = 0
  for (const wanted of ANCESTOR_LEVELS) {
    while (level < wanted && (boxes[at]?.parent ?? -1) >= 0) {
      at = boxes[at]?.parent ?? 0
      level += 1
    }
    const box = boxes[at] as Box
    features.push(
      Math.log1p(box.size),
      box.linkSize / Math.max(1, box.size),
      box.size / whole,
      Math.min(100, box.paragraphs),
      Math.min(200, box.blocks),
      Math.min(50, siblings.get(box.signature) ?? 0),
      box.size / Math.max(1, box.blocks),
      Math.min(50, box.images),
    )
  }
  return features
}

function neighbourFeatures({ figures, tags }: BlockContext, at: number): number[] {
  const figure = figures[at]
  return figure === undefined
    ? [0, 1, 0, -2, 0]
    : [
        Math.log1p(figure.size),
        figure.linkDensity,
        figure.punctuation,
        tags[at] ?? -1,
        figure.isElsewhere,
      ]
}
