import { attributeOf, decodeMarkup } from './map-text.ts'

/** A page's links, title and description. */
export type PageLinks = {
  title: string | undefined
  description: string | undefined
  links: string[]
}

const MAX_LINKS = 5_000
/** Repeated links and links to elsewhere take time too. */
const MAX_TAGS = 50_000
const MAX_TEXT = 500
// No part matches beyond the next "<", so that broken markup is as fast as valid markup.
const TAG = /<!--|<(script|style|template)\b|<(a|area|base|title|meta)\b([^<>]*)>/gi

/**
 * Scans a page's source once, without building its tree. Returns each absolute http(s) link once.
 */
export function readPageLinks(html: string, pageUrl: string): PageLinks {
  const facts: PageLinks = { title: undefined, description: undefined, links: [] }
  const links = new Set<string>()
  let base = pageUrl
  TAG.lastIndex = 0
  let tags = 0
  for (
    let match = TAG.exec(html);
    match !== null && links.size < MAX_LINKS && tags < MAX_TAGS;
    match = TAG.exec(html)
  ) {
    tags += 1
    const [whole, unread, name, inside = ''] = match
    if (name === undefined) {
      const end = html.indexOf(
        unread === undefined ? '-->' : `</${unread}`,
        match.index + whole.length,
      )
      if (end === -1) break
      TAG.lastIndex = end
      continue
    }
    const tag = name.toLowerCase()
    if (tag === 'title')
      facts.title ??= decodeMarkup(
        html.slice(TAG.lastIndex, TAG.lastIndex + MAX_TEXT).split('</')[0] ?? '',
      )
    else if (tag === 'meta') facts.description ??= descriptionIn(inside)
    else if (tag === 'base') base = absolute(attributeOf(inside, 'href'), pageUrl) ?? base
    else {
      const link = absolute(attributeOf(inside, 'href'), base)
      if (link !== undefined) links.add(link)
    }
  }
  return { ...facts, links: [...links] }
}

function descriptionIn(meta: string): string | undefined {
  const name = attributeOf(meta, 'name') ?? attributeOf(meta, 'property')
  return name !== undefined && /^(og:)?description$/i.test(name)
    ? attributeOf(meta, 'content')?.slice(0, MAX_TEXT)
    : undefined
}

function absolute(href: string | undefined, base: string): string | undefined {
  const url = href === undefined ? null : URL.parse(href, base)
  return url !== null && /^https?:$/.test(url.protocol) ? url.href : undefined
}
