import { hasMarkup } from './file-type.ts'

/** Plain text, JSON and XML go through the same way as pages: as preformatted text, with nothing lost. */
type Source = { readonly contentType: string; readonly html: string }

const TEXT_TYPE = /^(text\/(plain|markdown|csv)|application\/(json|markdown|[\w.-]+\+json)$)/
/** JSON that its server calls a page. */
const JSON_START = /^\s*(\{\s*["}]|\[\s*[[{"\d\]])/
const PAGE_TYPE = /^(text\/html|application\/xhtml\+xml)$/
/** Feeds and lists by their root, since many servers call them pages. */
const FEED = /^\s*(<\?[^>]*>\s*)*<(rss|feed|rdf:RDF|opml|urlset|sitemapindex)[\s>]/i
const XML_TYPE = /^(text|application)\/(?!xhtml\b)([\w.-]+\+)?xml\b/
const XML_TITLE = /<title[^<>]{0,200}>[^<]{1,300}<\/title>/i
const ROOT_WITHIN = 2_000

/** By its type, or, where that is none of a page or its beginning none either, by having no tags. */
export function isText({ contentType, html }: Source): boolean {
  return TEXT_TYPE.test(contentType) || ((!PAGE_TYPE.test(contentType) || JSON_START.test(html)) && !hasMarkup(html))
}

/** XML such as a feed, whose elements are not those of a page. A page may be XML too: it says so by its root. */
export function isXml({ contentType, html }: Source): boolean {
  const start = html.slice(0, ROOT_WITHIN)
  return XML_TYPE.test(contentType) ? !/<html[\s>]/i.test(start) : FEED.test(start.replaceAll(/<!--[^]*?-->/g, ''))
}

export function asPage(source: Source): string {
  const { html } = source
  const title = isXml(source) ? (XML_TITLE.exec(html)?.[0] ?? '') : ''
  return `${title}<pre>${html.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</pre>`
}
