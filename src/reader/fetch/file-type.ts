/**
 * Detects files that are not pages by their type, or by their first bytes when the type is wrong or
 * missing.
 */
/* oxlint-disable no-control-regex -- they begin with control characters */

/** Number of bytes or characters that detection reads. */
const START = 1_024
const ZIP_ENTRY = /^PK\u0003\u0004[^]{26}([^]*)/
const SIGNATURES: readonly (readonly [RegExp, string])[] = [
  [/^(\u00ef\u00bb\u00bf)?\s*%PDF-\d/, 'application/pdf'],
  [/^\{\\rtf1/, 'application/rtf'],
  [/^\u00d0\u00cf\u0011\u00e0\u00a1\u00b1/, 'application/msword'],
]
/**
 * Files that are neither pages nor documents. A vendor that returns them as text replaces invalid
 * bytes by U+FFFD.
 */
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
/** The type of binary files of unknown kind. */
export const UNKNOWN_FILE = 'application/octet-stream'
/** Binary data bytes, by the MIME Sniffing standard. */
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

/**
 * The file type by the first bytes of `body`, as bytes or as text; undefined for readable pages and
 * text.
 */
export function fileTypeOf(body: Uint8Array | string, text: string): string | undefined {
  const start =
    typeof body === 'string'
      ? body.slice(0, START)
      : Buffer.from(body.subarray(0, START)).toString('latin1')
  const type = documentTypeOf(start)
  if (type !== undefined || !isBinary(text)) return type
  return OTHER_SIGNATURES.find(([signature]) => signature.test(start))?.[1] ?? UNKNOWN_FILE
}

/** Reports whether this Content-Type means a document, an image or another file without a page. */
export function isFileType(contentType: unknown): contentType is string {
  return (
    typeof contentType === 'string' &&
    (DOCUMENT_TYPE.test(contentType) || OTHER_TYPE.test(contentType))
  )
}

/** Reports whether a text starts with the tags of a page. */
export function hasMarkup(text: string): boolean {
  return MARKUP.test(text.trimStart().slice(0, START))
}

/** Reports whether a text is a binary file: it starts with control characters instead of tags. */
function isBinary(text: string): boolean {
  const start = text.slice(0, START)
  return BINARY.test(start) && !hasMarkup(text)
}
