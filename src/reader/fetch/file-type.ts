/** What an address leads to when that is no page, by its type or, where servers call it a page or nothing at all, by its first bytes. */
/* oxlint-disable no-control-regex -- they begin with control characters */

/** What is read of a file to tell what it is. */
const START = 1_024
const ZIP_ENTRY = /^PK\u0003\u0004[^]{26}([^]*)/
const SIGNATURES: readonly (readonly [RegExp, string])[] = [
  [/^(\u00ef\u00bb\u00bf)?\s*%PDF-\d/, 'application/pdf'],
  [/^\{\\rtf1/, 'application/rtf'],
  [/^\u00d0\u00cf\u0011\u00e0\u00a1\u00b1/, 'application/msword'],
]
/** Files that are neither pages nor documents. Where a reader made text of one, what is no text became U+FFFD. */
const OTHER_SIGNATURES: readonly (readonly [RegExp, string])[] = [
  [/^[\u0089\ufffd]PNG\r\n/, 'image/png'],
  [/^(\u00ff\u00d8\u00ff|\ufffd{3})/, 'image/jpeg'],
  [/^GIF8[79]a/, 'image/gif'],
  [/^RIFF[^]{4}WEBP/, 'image/webp'],
  [/^PK[\u0003\u0005]/, 'application/zip'],
  [/^\u001f[\u008b\ufffd]/, 'application/gzip'],
  [/^[^]{4}ftyp/, 'video/mp4'],
]
const DOCUMENT_TYPE =
  /^(application\/(pdf|x-pdf|msword|rtf|vnd\.(ms-(word|excel|powerpoint)\b|openxmlformats-officedocument\b|oasis\.opendocument\.))|text\/rtf)/i
const OTHER_TYPE =
  /^((image|audio|video|font|model)\/|application\/(zip|gzip|x-zip-compressed|x-gzip)$)/i
/** Of what is no text, and of no kind that is known here. */
export const UNKNOWN_FILE = 'application/octet-stream'
/** What no text holds, by the standard of browsers (MIME sniffing: binary data bytes). */
const BINARY = /[\0-\u0008\u000b\u000e-\u001a\u001c-\u001f]/
const MARKUP =
  /<(!doctype|!--|\?xml|html|head|body|title|meta|link|script|style|div|span|p|h[1-6]|a|ul|table|article|main|section)[\s/>]/i

function documentTypeOf(start: string): string | undefined {
  const signed = SIGNATURES.find(([signature]) => signature.test(start))
  return signed?.[1] ?? packedTypeOf(ZIP_ENTRY.exec(start)?.[1] ?? '')
}

/** Office documents are ZIP files that name themselves in their first entry. */
function packedTypeOf(entry: string): string | undefined {
  const open = /^mimetype(application\/vnd\.oasis\.opendocument\.[a-z-]+)/.exec(entry)?.[1]
  if (open !== undefined) return open
  return /^(\[Content_Types\]\.xml|_rels\/|docProps\/|word\/|xl\/|ppt\/)/.test(entry)
    ? 'application/vnd.openxmlformats-officedocument'
    : undefined
}

/** The type of a document or another file by its first bytes, or by the same as text; undefined for what can be read. */
export function fileTypeOf(body: Uint8Array | string, text: string): string | undefined {
  const start =
    typeof body === 'string'
      ? body.slice(0, START)
      : Buffer.from(body.subarray(0, START)).toString('latin1')
  const type = documentTypeOf(start)
  if (type !== undefined || !isBinary(text)) return type
  return OTHER_SIGNATURES.find(([signature]) => signature.test(start))?.[1] ?? UNKNOWN_FILE
}

/** Whether a server that says this sends a document, a picture or another file that holds no page, whatever its address looks like. */
export function isFileType(contentType: unknown): contentType is string {
  return (
    typeof contentType === 'string' &&
    (DOCUMENT_TYPE.test(contentType) || OTHER_TYPE.test(contentType))
  )
}

/** Whether a text has the tags of a page at its beginning. */
export function hasMarkup(text: string): boolean {
  return MARKUP.test(text.trimStart().slice(0, START))
}

/** Whether a text is a file that is no text: control characters where a page has its first tags. */
function isBinary(text: string): boolean {
  const start = text.slice(0, START)
  return BINARY.test(start) && !hasMarkup(text)
}
