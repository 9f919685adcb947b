/** Files that servers send as pages: as text/html, or without any type. */
/* oxlint-disable no-control-regex -- they begin with control characters */

/** What is read of a file to tell what it is. */
const START = 1_024
const ZIP_ENTRY = /^PK\u0003\u0004[^]{26}([^]*)/
const SIGNATURES: readonly (readonly [RegExp, string])[] = [
  [/^\s*%PDF-\d/, 'application/pdf'],
  [/^\{\\rtf1/, 'application/rtf'],
  [/^\u00d0\u00cf\u0011\u00e0\u00a1\u00b1/, 'application/msword'],
]
/** What no text holds, by the standard of browsers (MIME sniffing: binary data bytes). */
const BINARY = /[\0-\u0008\u000b\u000e-\u001a\u001c-\u001f]/
const MARKUP = /<(!doctype|!--|\?xml|html|head|body|title|meta|link|script|style|div|span|p|h[1-6]|a|ul|table|article|main|section)[\s/>]/i

/** The type of a document by its first bytes, or by the same as text; undefined for everything else. */
export function documentTypeOf(body: Uint8Array | string): string | undefined {
  const start = typeof body === 'string' ? body.slice(0, START) : Buffer.from(body.subarray(0, START)).toString('latin1')
  const signed = SIGNATURES.find(([signature]) => signature.test(start))
  return signed?.[1] ?? packedTypeOf(ZIP_ENTRY.exec(start)?.[1] ?? '')
}

/** Office documents are ZIP files that name themselves in their first entry. */
function packedTypeOf(entry: string): string | undefined {
  const open = /^mimetype(application\/vnd\.oasis\.opendocument\.[a-z-]+)/.exec(entry)?.[1]
  if (open !== undefined) return open
  return /^(\[Content_Types\]\.xml|_rels\/|docProps\/|word\/|xl\/|ppt\/)/.test(entry) ? 'application/vnd.openxmlformats-officedocument' : undefined
}

/** Whether a text is a file that is no text: control characters where a page has its first tags. */
export function isBinary(text: string): boolean {
  const start = text.slice(0, START)
  return BINARY.test(start) && !MARKUP.test(start)
}
