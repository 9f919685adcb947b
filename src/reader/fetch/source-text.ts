import { hasMarkup } from './file-type.ts'

/** Plain text, JSON and XML go through the same way as pages: as preformatted text, with nothing lost. Markdown is what it is. */
type Source = { readonly contentType: string; readonly html: string }

const TEXT_TYPE = /^(text\/(plain|(x-)?markdown|csv)|application\/(json|markdown|[\w.-]+\+json)$)/
const MARKDOWN_TYPE = /^(text|application)\/(x-)?markdown$/
/** Most servers call markdown plain text. */
const MARKDOWN_NAME = /(\.(md|mdx|markdown)|\/llms(-\w+)?\.txt)$/i
const FIRST_HEADING = /^#[ \t]+(\S[^\n]{0,299})$|^(\S[^\n]{0,299})\n=+[ \t]*$/m
/** JSON that its server calls a page. */
const JSON_START = /^\s*(\{\s*["}]|\[\s*[[{"\d\]])/
const PAGE_TYPE = /^(text\/html|application\/xhtml\+xml)$/
/** Feeds and lists by their root, since many servers call them pages. */
const FEED = /^\s*(<\?[^>]*>\s*)*<(rss|feed|rdf:RDF|opml|urlset|sitemapindex)[\s>]/i
const XML_TYPE = /^(text|application)\/(?!xhtml\b)([\w.-]+\+)?xml\b/
const XML_TITLE = /<title[^<>]{0,200}>[^<]{1,300}<\/title>/i
const ROOT_WITHIN = 2_000
const HEADING_WITHIN = 4_000

/** By its type, or, where that is none of a page or its beginning none either, by having no tags. */
export function isText({ contentType, html }: Source): boolean {
  return (
    TEXT_TYPE.test(contentType) ||
    ((!PAGE_TYPE.test(contentType) || JSON_START.test(html)) && !hasMarkup(html))
  )
}

/** XML such as a feed, whose elements are not those of a page. A page may be XML too: it says so by its root. */
export function isXml({ contentType, html }: Source): boolean {
  const start = html.slice(0, ROOT_WITHIN)
  return XML_TYPE.test(contentType)
    ? !/<html[\s>]/i.test(start)
    : FEED.test(start.replaceAll(/<!--[^]*?-->/g, ''))
}

/** By its type, or a text by the name of its file: a page about markdown is none. */
export function isMarkdown(source: Source & { readonly url: string }): boolean {
  return (
    MARKDOWN_TYPE.test(source.contentType) ||
    (isText(source) && MARKDOWN_NAME.test(new URL(source.url).pathname))
  )
}

export function asPage(source: Source & { readonly url: string }): string {
  const { html } = source
  const title = isXml(source)
    ? (XML_TITLE.exec(html)?.[0] ?? '')
    : isMarkdown(source)
      ? headingAsTitle(html)
      : ''
  return `${title}<pre>${escaped(html)}</pre>`
}

function headingAsTitle(markdown: string): string {
  const [, behindMark, underlined] =
    FIRST_HEADING.exec(markdown.slice(0, HEADING_WITHIN).replaceAll('\r\n', '\n')) ?? []
  const heading = behindMark ?? underlined
  return heading === undefined
    ? ''
    : `<title>${escaped(heading.replace(/[ \t]+#*[ \t]*$/, ''))}</title>`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
