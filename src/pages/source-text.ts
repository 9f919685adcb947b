/** Plain text, JSON and XML go through the same way as pages: as preformatted text, with nothing lost. */
type Source = { readonly contentType: string; readonly html: string }

const TEXT_TYPE = /^(text\/(plain|markdown|csv)|application\/(json|ld\+json|markdown))/
const XML_TYPE = /^(text|application)\/(?!xhtml\b)([\w.-]+\+)?xml\b/
const XML_TITLE = /<title[^<>]{0,200}>[^<]{1,300}<\/title>/i
const ROOT_WITHIN = 2_000

export function isText({ contentType }: Source): boolean {
  return TEXT_TYPE.test(contentType)
}

/** XML such as a feed, whose elements are not those of a page. A page may be XML too: it says so by its root. */
export function isXml({ contentType, html }: Source): boolean {
  return XML_TYPE.test(contentType) && !/<html[\s>]/i.test(html.slice(0, ROOT_WITHIN))
}

export function asPage(source: Source): string {
  const { html } = source
  const title = isXml(source) ? (XML_TITLE.exec(html)?.[0] ?? '') : ''
  return `${title}<pre>${html.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</pre>`
}
