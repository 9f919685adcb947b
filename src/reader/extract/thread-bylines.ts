/** Authors and dates of posts in threads: main content leaves out the lines that state them. */
import { BLOCK_TAGS, isElement, isWithin, type DomDocument, type DomElement } from './dom.ts'
import { collapse } from './text.ts'

export type Post = {
  readonly element: DomElement
  /** The element that names the author. */
  readonly mark: DomElement
  readonly author: string
  readonly date: string
}

/** Elements that name the author of a post. */
export const AUTHORS = [
  '[itemprop="author"]',
  '.username',
  '.hnuser',
  '.creator',
  'a.author',
  'span.author',
  '.author-name',
  '.post-author',
  '.post_author',
  '.postername',
  '.poster',
  '.bigusername',
  '.comment-author',
  '.comment-user',
  '.commentauthor',
  '.user-details a',
  '.nickname',
].join(',')
const NOT_AUTHORS = 'blockquote,pre,code,nav,aside,footer,form,select'
const DATES = [
  'time[datetime]',
  '[itemprop="datePublished"],[itemprop="dateCreated"]',
  '.age[title]',
  '.relativetime[title],.relativetime-clean[title]',
  '[class*="date" i],[class*="time" i]',
]
const ISO = /^\d{4}-\d{2}-\d{2}/
/** "05 Mar 2024, 15:14", "Tue Mar 05, 2024 3:14 pm", "2024/3/5" */
const WRITTEN =
  /\b(?:\p{Lu}\p{Ll}{2},? )?(?:\d{1,2}\.? \p{L}{3,10}\.?,? \d{4}|\p{L}{3,10}\.? \d{1,2},? \d{4}|\d{4}[/.-]\d{1,2}[/.-]\d{1,2}|\d{1,2}[/.]\d{1,2}[/.]\d{4})(?:,? (?:at )?\d{1,2}:\d{2}(?::\d{2})?(?: ?[ap]m)?)?/iu
const LONGEST_NAME = 60
const LONGEST_DATE = 40
const LONGEST_LINE = 160
const MOST_MARKS = 1_000
const MOST_LEVELS = 12
/** A post has more text than its author and date. */
const LEAST_TEXT = 40
const LEAST_POSTS = 3
/** The part of a post in which readers look for its author. */
const HEAD_CHARS = 200
/** Posts are indented by tables and boxes: the byline goes to the box with this share of the text. */
const TEXT_SHARE = 0.6
/** The heading of a post in a thread links to the post itself. */
const TEASER = 'h1 a,h2 a,h3 a'
  .split(',')
  .map((link) => `${link}[href]:not([href*="#"])`)
  .concat('a h1', 'a h2', 'a h3')
  .join(',')
const POST_BOX = /^(div|td|section|article|li|main|dd)$/

/**
 * The posts of a thread, in document order; empty for other pages. Call it before anything is
 * removed from the tree.
 */
export function findPosts(body: DomElement): readonly Post[] {
  const named = body.querySelectorAll(AUTHORS).slice(0, MOST_MARKS)
  if (named.length < LEAST_POSTS) return []
  const outside = new Set(body.querySelectorAll(NOT_AUTHORS))
  const marks = named.filter((mark, at) => isAuthor(mark, named[at + 1], outside))
  if (marks.length < LEAST_POSTS) return []
  const counts = countAbove(marks, body)
  const posts = new Map<DomElement, Post>()
  for (const mark of marks) {
    const element = postOf(mark, counts, body)
    if (element === undefined || posts.has(element)) continue
    const author = nameOf(mark)
    posts.set(element, { element, mark, author, date: dateOf(element, mark) })
  }
  const found = [...posts.values()]
  const dated = found.filter(({ date }) => date !== '')
  const isThread = dated.length >= LEAST_POSTS && dated.length >= found.length / 2
  return isThread && !isListing(found) ? found : []
}

/** Writes "author · date" before the text of each post that is still in the tree. */
export function writeBylines(
  document: DomDocument,
  body: DomElement,
  posts: readonly Post[],
): void {
  for (const { element, mark, author, date } of posts) {
    if (element.textLength < LEAST_TEXT || !body.contains(element)) continue
    const head = collapse(element.textContent ?? '').slice(0, HEAD_CHARS)
    const isStated =
      head.includes(author) && (date === '' || head.includes(date) || WRITTEN.test(head))
    if (isStated) continue
    const box = boxOf(element)
    if (element.contains(mark)) lineOf(mark, element, box)?.remove()
    const line = document.createElement('p')
    line.textContent = date === '' ? author : `${author} · ${date}`
    const children = [...box.childNodes]
    box.appendChild(line)
    for (const child of children) box.appendChild(child)
  }
}

/** The line that states the author in the post; undefined if it is the text of the post itself. */
function lineOf(mark: DomElement, post: DomElement, box: DomElement): DomElement | undefined {
  let line = mark
  for (
    let above = mark.parentElement;
    above !== null && above !== post;
    above = above.parentElement
  ) {
    if (above.textLength > LONGEST_LINE || above.contains(box)) break
    line = above
  }
  return line.contains(box) || line.textLength > LONGEST_LINE ? undefined : line
}

/** `next`: the next mark in document order, which may be inside this one. */
function isAuthor(
  mark: DomElement,
  next: DomElement | undefined,
  outside: ReadonlySet<DomElement>,
): boolean {
  const name = nameOf(mark)
  const isOuter = next !== undefined && mark.contains(next)
  return (
    !isOuter &&
    name !== '' &&
    name.length <= LONGEST_NAME &&
    !name.startsWith('@') &&
    !isWithin(mark, outside)
  )
}

function nameOf(mark: DomElement): string {
  return collapse(mark.textContent ?? '')
    .replace(/^\s*(by|von|par|por|da|от)\b:?\s*/iu, '')
    .replace(/\s*(says|said|wrote|schrieb)?:?\s*$/iu, '')
    .trim()
}

/** The number of marks in each element above them. */
function countAbove(
  marks: readonly DomElement[],
  body: DomElement,
): ReadonlyMap<DomElement, number> {
  const counts = new Map<DomElement, number>()
  for (const mark of marks)
    for (
      let above = mark.parentElement;
      above !== null && above !== body;
      above = above.parentElement
    )
      counts.set(above, (counts.get(above) ?? 0) + 1)
  return counts
}

/**
 * The smallest element around an author with text of a post and no other author. If several
 * authors, such as an editor and the author, have no text of their own, it is the element around
 * them that has text.
 */
function postOf(
  mark: DomElement,
  counts: ReadonlyMap<DomElement, number>,
  body: DomElement,
): DomElement | undefined {
  let around: DomElement | null = mark.parentElement
  let level = 0
  const isBare = (element: DomElement, others: number): boolean =>
    element.textLength < LEAST_TEXT * (others + 1)
  while (around !== null && around !== body && level < MOST_LEVELS) {
    const others = (counts.get(around) ?? 1) - 1
    if (others === 0 && !isBare(around, 1)) return widest(around, counts, body)
    if (others > 2) return undefined
    if (others > 0 && !isBare(around, others)) return sharesSignatures(around) ? around : undefined
    around = around.parentElement
    level += 1
  }
  return undefined
}

/** The largest element with this author alone. */
function widest(
  start: DomElement,
  counts: ReadonlyMap<DomElement, number>,
  body: DomElement,
): DomElement {
  let post = start
  for (
    let above = start.parentElement;
    above !== null && above !== body;
    above = above.parentElement
  ) {
    if ((counts.get(above) ?? 0) > 1) break
    post = above
  }
  return post
}

/** Whether all authors in an element stand in short signatures. */
function sharesSignatures(element: DomElement): boolean {
  return element
    .querySelectorAll(AUTHORS)
    .every((mark) => (mark.parentElement?.parentElement?.textLength ?? 0) < 4 * LEAST_TEXT)
}

function dateOf(post: DomElement, mark: DomElement): string {
  for (const selector of DATES)
    for (const element of post.querySelectorAll(selector)) {
      const date = dateIn(element)
      if (date !== '') return date
    }
  const line = collapse(mark.parentElement?.textContent ?? '').slice(0, HEAD_CHARS)
  return WRITTEN.exec(line)?.[0] ?? ''
}

function dateIn(element: DomElement): string {
  for (const name of ['datetime', 'content', 'title']) {
    const day = ISO.exec(element.getAttribute(name)?.trim() ?? '')?.[0]
    if (day !== undefined) return day
  }
  const text = collapse(element.textContent ?? '').trim()
  return text.length <= LONGEST_DATE && /\d/.test(text) ? text : ''
}

/** Teasers of articles have authors and dates too, but also headings that link to the article. */
function isListing(posts: readonly Post[]): boolean {
  const teasers = posts.filter(({ element }) => element.querySelector(TEASER) !== null)
  return teasers.length > posts.length / 2
}

/** The innermost box with most of the post's text. */
function boxOf(post: DomElement): DomElement {
  let box = post
  for (;;) {
    const inner = box.children.find(
      (child) =>
        child.textLength >= box.textLength * TEXT_SHARE &&
        (BLOCK_TAGS.has(child.localName) || child.children.some((one) => isElement(one))),
    )
    if (inner === undefined || !isBoxOrTable(inner)) return box
    box = inner
  }
}

function isBoxOrTable({ localName }: DomElement): boolean {
  return POST_BOX.test(localName) || /^(table|tbody|tr)$/.test(localName)
}
