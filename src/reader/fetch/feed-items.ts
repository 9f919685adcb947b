/** Reads RSS and Atom feeds as a page: each entry with its link, author, date and text. */
import { decodeMarkup, attributeOf } from './map-text.ts'
import { bylineOf, paragraphs } from '../embedded/node-content.ts'

const FEED_ROOT = /<(rss|feed|rdf:RDF)[\s>]/i
const MOST_ENTRIES = 200
const ROOT_WITHIN = 2_000

type Element = { readonly tag: string; readonly inside: string }

/** The entries as HTML with the feed's title; undefined for XML that is not a feed with entries. */
export function feedPage(xml: string): string | undefined {
  const root = FEED_ROOT.exec(xml.slice(0, ROOT_WITHIN).replaceAll(/<!--[^]*?-->/g, ''))?.[1]
  if (root === undefined) return undefined
  const name = root.toLowerCase() === 'feed' ? 'entry' : 'item'
  const entries = elementsOf(xml, name, MOST_ENTRIES)
  const [first] = entries
  if (first === undefined) return undefined
  const head = xml.slice(0, xml.indexOf(first.inside))
  const title = textIn(head, 'title')
  return [
    title === '' ? '' : `<title>${escaped(title)}</title><h1>${escaped(title)}</h1>`,
    ...entries.map(({ inside }) => entryHtml(inside)),
  ].join('')
}

function entryHtml(entry: string): string {
  const title = textIn(entry, 'title')
  const link = linkIn(entry)
  const name = escaped(title === '' ? link : title)
  const author =
    textIn(elementsOf(entry, 'author', 1)[0]?.inside ?? '', 'name') ||
    textIn(entry, 'dc:creator') ||
    textIn(entry, 'author')
  const date = ['pubDate', 'published', 'updated', 'dc:date'].map((tag) => textIn(entry, tag))
  const text = ['content:encoded', 'content', 'description', 'summary']
    .map((tag) => markupIn(entry, tag))
    .find((one) => one !== '')
  const heading =
    link === '' ? name : `<a href="${escaped(link).replaceAll('"', '&quot;')}">${name}</a>`
  return `<article><h2>${heading}</h2>${bylineOf(author, date.find((one) => one !== '') ?? '')}${paragraphs(text ?? '')}</article>`
}

/** RSS writes the address as text, Atom as an attribute. */
function linkIn(entry: string): string {
  const links = entry.match(/<link\b[^<>]*>/gi) ?? []
  const alternate = links.find((tag) => /^(alternate)?$/.test(attributeOf(tag, 'rel') ?? ''))
  return attributeOf(alternate ?? '', 'href') ?? textIn(entry, 'link')
}

/** Elements with this name. Each character is read once. */
function elementsOf(xml: string, name: string, most: number): Element[] {
  const found: Element[] = []
  const start = new RegExp(`<${name}(?=[\\s>])[^<>]*>`, 'gi')
  const end = new RegExp(`</${name}\\s*>`, 'gi')
  for (let open = start.exec(xml); open !== null && found.length < most; open = start.exec(xml)) {
    const from = open.index + open[0].length
    end.lastIndex = from
    const close = end.exec(xml)
    if (close === null) break
    found.push({ tag: open[0], inside: xml.slice(from, close.index) })
    start.lastIndex = end.lastIndex
  }
  return found
}

/** The text of the first element with this name, without markup. */
function textIn(xml: string, name: string): string {
  return decodeMarkup(
    unwrapped(elementsOf(xml, name, 1)[0]?.inside ?? '').replace(/<[^<>]*>/g, ' '),
  )
}

/** The content of the first element with this name as HTML: in CDATA, escaped, or as XHTML. */
function markupIn(xml: string, name: string): string {
  const inside = elementsOf(xml, name, 1)[0]?.inside.trim() ?? ''
  if (inside.startsWith('<')) return unwrapped(inside)
  return inside
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll(/&(#39|apos);/g, "'")
    .replaceAll('&amp;', '&')
}

function unwrapped(text: string): string {
  return text.replaceAll('<![CDATA[', '').replaceAll(']]>', '').trim()
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
