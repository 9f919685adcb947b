import { hasMarkup } from './file-type.ts'

/**
 * Plain text, JSON and XML are read as preformatted text, complete. Markdown is returned unchanged.
 */
type Source = { readonly contentType: string; readonly html: string }

const TEXT_TYPE = /^(text\/(plain|(x-)?markdown|csv)|application\/(json|markdown|[\w.-]+\+json)$)/
const MARKDOWN_TYPE = /^(text|application)\/(x-)?markdown$/
/** Most servers label markdown as plain text. */
const MARKDOWN_NAME = /(\.(md|mdx|markdown)|\/llms(-\w+)?\.txt)$/i
const FIRST_HEADING = /^#[ \t]+(\S[^\n]{0,299})$|^(\S[^\n]{0,299})\n=+[ \t]*$/m
/** JSON that the server labels as a page. */
const JSON_START = /^\s*(\{\s*["}]|\[\s*[[{"\d\]])/
const PAGE_TYPE = /^(text\/html|application\/xhtml\+xml)$/
/** Feeds and lists, detected by their root element: many servers label them as pages. */
const FEED = /^\s*(<\?[^>]*>\s*)*<(rss|feed|rdf:RDF|opml|urlset|sitemapindex)[\s>]/i
const XML_TYPE = /^(text|application)\/(?!xhtml\b)([\w.-]+\+)?xml\b/
const XML_TITLE = /<title[^<>]{0,200}>[^<]{1,300}<\/title>/i
const ROOT_WITHIN = 2_000
const HEADING_WITHIN = 4_000

/**
 * Decides by the type. If neither the type nor the beginning indicates a page, text is a source
 * without tags.
 */
export function isText({ contentType, html }: Source): boolean {
  return (
    TEXT_TYPE.test(contentType) ||
    ((!PAGE_TYPE.test(contentType) || JSON_START.test(html)) && !hasMarkup(html))
  )
}

/**
 * XML such as a feed, whose elements are not HTML. XHTML pages are excluded by their root element.
 */
export function isXml({ contentType, html }: Source): boolean {
  const start = html.slice(0, ROOT_WITHIN)
  return XML_TYPE.test(contentType)
    ? !/<html[\s>]/i.test(start)
    : FEED.test(start.replaceAll(/<!--[^]*?-->/g, ''))
}

/** Decides by the type, or for text by the file name. A page about markdown does not match. */
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
