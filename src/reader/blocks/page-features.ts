import { GROUP_NAMES } from './class-groups.ts'
import { declaresArticle, type PageFacts } from './page-facts.ts'
import type { Block, Box } from './read-blocks.ts'
import type { TextFigures } from './text-figures.ts'

const COUNTED_TAGS = ['article', 'main', 'li', 'table', 'form', 'h2', 'h3', 'img', 'p'] as const
const COUNTED_GROUPS = ['comment', 'product', 'card', 'forum', 'review', 'related'] as const

/** Names of `readPageFeatures`, in order. */
export const PAGE_FEATURES: readonly string[] = [
  'page size',
  'page link density',
  'page blocks',
  'page prose share',
  'page prose blocks',
  'page date share',
  'page price share',
  'page dense share',
  'page elsewhere share',
  'page declares article',
  'page og type',
  'page declares product',
  'page declares forum',
  'page declares list',
  'page declares faq',
  'url depth',
  'url length',
  'url has year',
  'url has words',
  'url is root',
  'page share in main',
  'page share in article',
  ...COUNTED_TAGS.map((tag) => `page ${tag}`),
  ...COUNTED_GROUPS.map((group) => `page ${group}`),
]

/** Numbers that all blocks of a page share. They show the page's type. */
export function readPageFeatures(
  boxes: readonly Box[],
  blocks: readonly Block[],
  figures: readonly TextFigures[],
  facts: PageFacts,
): readonly number[] {
  const root = boxes[0]
  const size = Math.max(1, root?.size ?? 0)
  const count = Math.max(1, blocks.length)
  const sum = (read: (figure: TextFigures) => number): number =>
    figures.reduce((total, figure) => total + read(figure), 0)
  const tags = new Map<string, number>()
  for (const { tag } of boxes) tags.set(tag, (tags.get(tag) ?? 0) + 1)
  const groups = COUNTED_GROUPS.map((name) => {
    const group = GROUP_NAMES.indexOf(name)
    return boxes.filter((box) => box.groups[group] === 0).length
  })
  return [
    Math.log1p(size),
    (root?.linkSize ?? 0) / size,
    Math.log1p(blocks.length),
    sum((figure) => (figure.isProse ? figure.size : 0)) / size,
    sum(({ isProse }) => (isProse ? 1 : 0)) / count,
    sum(({ isDate }) => isDate) / count,
    sum(({ isPrice }) => isPrice) / count,
    sum(({ dense }) => dense) / count,
    sum(({ isElsewhere }) => isElsewhere) / count,
    declaresArticle(facts) ? 1 : 0,
    ...typeFeatures(facts),
    ...urlFeatures(facts.url),
    largestShare(boxes, 'main'),
    largestShare(boxes, 'article'),
    ...COUNTED_TAGS.map((tag) =>
      Math.log1p(tag === 'img' ? (root?.images ?? 0) : (tags.get(tag) ?? 0)),
    ),
    ...groups.map((found) => Math.log1p(found)),
  ]
}

function largestShare(boxes: readonly Box[], tag: string): number {
  const whole = Math.max(1, boxes[0]?.size ?? 1)
  let largest = 0
  for (const box of boxes) if (box.tag === tag) largest = Math.max(largest, box.size)
  return largest / whole
}

function typeFeatures({ ogType, declared }: PageFacts): readonly number[] {
  const declares = (types: RegExp): number => (types.test(declared) ? 1 : 0)
  return [
    /article/.test(ogType) ? 1 : /product/.test(ogType) ? 2 : /website/.test(ogType) ? 3 : 0,
    declares(/product/),
    declares(/discussion|forum|qapage|question/),
    declares(/itemlist|collectionpage/),
    declares(/faqpage/),
  ]
}

function urlFeatures(url: string): readonly number[] {
  const path = URL.parse(url)?.pathname ?? ''
  return [
    path.split('/').filter(Boolean).length,
    Math.min(100, path.length),
    /\b(?:19|20)\d\d\b/.test(path) ? 1 : 0,
    (path.match(/-/g)?.length ?? 0) > 3 ? 1 : 0,
    path.length < 2 ? 1 : 0,
  ]
}
