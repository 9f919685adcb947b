import {
  BLOCK_TAGS,
  UNSEEN_TAGS,
  isElement,
  isText,
  type DomElement,
  type DomNode,
} from '../extract/dom.ts'
import { collapse } from '../extract/text.ts'
import { isUnseen } from '../extract/unseen.ts'
import { GROUP_NAMES, readClassGroups } from './class-groups.ts'
import { sizeOf } from './text-size.ts'

/** A block element of the page. Boxes are in document order. */
export type Box = {
  readonly element: DomElement
  readonly tag: string
  /** Index of the parent's box; -1 for the root. */
  readonly parent: number
  readonly depth: number
  /** Distance to the nearest box of each class group, itself included; `FAR` without one. */
  readonly groups: Uint8Array
  /** Bit set of the tags and roles around the box, itself included; see `ANCESTORS`. */
  readonly ancestors: number
  /** Equal for boxes of the same parent with the same tag and first class. */
  readonly signature: string
  /** Size of the text in this box and all boxes inside, see `sizeOf`. */
  size: number
  linkSize: number
  paragraphs: number
  /** Boxes inside that have text of their own. */
  blocks: number
  children: number
  images: number
}

/** A box with text of its own. */
export type Block = {
  readonly box: number
  /** White space collapsed, never empty. */
  readonly text: string
  readonly size: number
  readonly linkSize: number
  readonly links: number
  /** Links to a place in the same page, and to other hosts. */
  readonly inPageLinks: number
  readonly foreignLinks: number
  /** A person sees nothing of its text. */
  readonly isHidden: boolean
}

export type PageBlocks = { readonly boxes: readonly Box[]; readonly blocks: readonly Block[] }

export const FAR = 99
export const ANCESTORS = [
  'nav',
  'header',
  'footer',
  'aside',
  'main',
  'article',
  'form',
  'ul',
  'ol',
  'table',
  'dl',
  'figure',
  'section',
  'li',
  'a',
  'button',
  'blockquote',
  'pre',
  'hidden',
  'details',
] as const
const BITS = new Map<string, number>(ANCESTORS.map((tag, bit) => [tag, 1 << bit]))
const ROLES: Readonly<Record<string, (typeof ANCESTORS)[number]>> = {
  navigation: 'nav',
  banner: 'header',
  contentinfo: 'footer',
  complementary: 'aside',
  main: 'main',
  article: 'article',
  search: 'form',
  menu: 'nav',
  menubar: 'nav',
  dialog: 'hidden',
  alertdialog: 'hidden',
}
/** Deeper elements belong to the box around them. */
const MAX_DEPTH = 1_000
const MAX_BOXES = 60_000
const SKIPPED_TAGS: ReadonlySet<string> = new Set([...UNSEEN_TAGS, 'option'])

/** The text of a box outside the boxes inside it. */
type OwnText = {
  readonly pieces: string[]
  linkSize: number
  links: number
  inPageLinks: number
  foreignLinks: number
  isHidden: boolean
}
type Reading = {
  readonly boxes: Box[]
  readonly owns: OwnText[]
  readonly host: string
  readonly hiddenBoxes: ReadonlySet<DomElement>
  readonly hiddenTexts: ReadonlySet<DomNode>
}
type Hidden = { readonly boxes: ReadonlySet<DomElement>; readonly texts: Iterable<DomNode> }

/** The text blocks below `root`, which is the first box. `url` is the page's own. */
export function readBlocks(root: DomElement, url: string, hidden?: Hidden): PageBlocks {
  const reading: Reading = {
    boxes: [],
    owns: [],
    host: URL.parse(url)?.host ?? '',
    hiddenBoxes: hidden?.boxes ?? new Set(),
    hiddenTexts: new Set(hidden?.texts),
  }
  visit(reading, root, { box: -1, bits: 0, isInLink: false, isHidden: false, depth: 0 })
  const { boxes, owns } = reading
  const blocks = owns.flatMap(({ pieces, linkSize, ...links }, box) => {
    const text = collapse(pieces.join('')).trim()
    if (text === '') return []
    const size = sizeOf(text)
    return [{ box, text, size, linkSize: Math.min(linkSize, size), ...links }]
  })
  for (const block of blocks) addToBoxes(boxes, block)
  return { boxes, blocks }
}

type Place = {
  readonly box: number
  readonly bits: number
  readonly isInLink: boolean
  readonly isHidden: boolean
  readonly depth: number
}

function visit(reading: Reading, element: DomElement, place: Place): void {
  const tag = element.localName
  const { boxes, owns } = reading
  const bits = place.bits | bitsOf(element)
  const isBox =
    place.depth === 0 ||
    ((BLOCK_TAGS.has(tag) || element.getAttribute('role') === 'listitem') &&
      place.depth < MAX_DEPTH &&
      boxes.length < MAX_BOXES)
  const box = isBox ? openBox(reading, element, { ...place, bits }) : place.box
  const isInLink = place.isInLink || tag === 'a'
  const isHidden = place.isHidden || reading.hiddenBoxes.has(element)
  const own = owns[box] as OwnText
  if (tag === 'a') countLink(own, element.getAttribute('href') ?? '', reading.host)
  if (tag === 'img' || tag === 'picture') addImage(boxes, box)
  if (place.depth > MAX_DEPTH) {
    own.pieces.push(element.textContent ?? '')
    own.isHidden &&= isHidden
    return
  }
  for (const child of element.childNodes) {
    if (isText(child)) {
      own.pieces.push(child.data)
      if (!isHidden && !reading.hiddenTexts.has(child) && /\S/.test(child.data))
        own.isHidden = false
      if (isInLink) own.linkSize += sizeOf(collapse(child.data).trim())
    } else if (isElement(child) && !SKIPPED_TAGS.has(child.localName) && !isUnseen(child)) {
      if (child.localName === 'br') own.pieces.push(' ')
      visit(reading, child, { box, bits, isInLink, isHidden, depth: place.depth + 1 })
    }
  }
}

function countLink(own: OwnText, href: string, host: string): void {
  own.links += 1
  if (href.startsWith('#')) own.inPageLinks += 1
  const target = /^\s*(?:https?:)?\/\/([^/?#]+)/i.exec(href)?.[1]
  if (target !== undefined && target !== host) own.foreignLinks += 1
}

function openBox({ boxes, owns }: Reading, element: DomElement, place: Place): number {
  const above = boxes[place.box]
  const own = readClassGroups(element)
  const groups = new Uint8Array(GROUP_NAMES.length)
  for (let group = 0; group < groups.length; group += 1)
    groups[group] = own.has(group) ? 0 : Math.min(FAR, (above?.groups[group] ?? FAR) + 1)
  const firstClass = /[^\s\d]+/.exec(element.getAttribute('class') ?? '')?.[0] ?? ''
  boxes.push({
    element,
    tag: element.localName,
    parent: place.box,
    depth: above === undefined ? 0 : above.depth + 1,
    groups,
    ancestors: place.bits,
    signature: `${place.box} ${element.localName} ${firstClass}`,
    size: 0,
    linkSize: 0,
    paragraphs: 0,
    blocks: 0,
    children: 0,
    images: 0,
  })
  if (above !== undefined) above.children += 1
  owns.push({
    pieces: [],
    linkSize: 0,
    links: 0,
    inPageLinks: 0,
    foreignLinks: 0,
    isHidden: true,
  })
  return boxes.length - 1
}

function bitsOf(element: DomElement): number {
  const role = ROLES[element.getAttribute('role') ?? ''] ?? ''
  const isHidden =
    element.hasAttribute('hidden') ||
    element.getAttribute('aria-hidden') === 'true' ||
    /display:\s*none|visibility:\s*hidden/i.test(element.getAttribute('style') ?? '')
  return (
    (BITS.get(element.localName) ?? 0) |
    (BITS.get(role) ?? 0) |
    (isHidden ? (BITS.get('hidden') ?? 0) : 0)
  )
}

function addImage(boxes: readonly Box[], from: number): void {
  for (let box = boxes[from]; box !== undefined; box = boxes[box.parent]) box.images += 1
}

/** Adds a block's text to its box and to all boxes around it. */
function addToBoxes(boxes: readonly Box[], { box: from, size, linkSize }: Block): void {
  const isParagraph = boxes[from]?.tag === 'p' ? 1 : 0
  for (let box = boxes[from]; box !== undefined; box = boxes[box.parent]) {
    box.size += size
    box.linkSize += linkSize
    box.paragraphs += isParagraph
    box.blocks += 1
  }
}
