import { detectCharset } from './detect-charset.ts'

const SNIFF_BYTES = 4_096
const UTF_8 = 'utf-8'
const REPLACEMENT = 0xfffd
/** The name in the Encoding standard, which treats ISO 8859-1 and ASCII as windows-1252. */
const WESTERN = 'windows-1252'

/**
 * Decodes the bytes of a page. Order of trust: byte order mark, Content-Type, the page's own
 * declaration, UTF-8, then the encoding that the bytes suggest. Between UTF-8 and windows-1252 the
 * bytes decide, because hardly any text in one is valid in the other.
 */
export function decodeText(bytes: Uint8Array, contentType: string | undefined): string {
  const marked = decoderFor(byteOrderMark(bytes))
  if (marked !== undefined) return marked.decode(bytes)
  const labelled = decoderFor(charsetOf(contentType)) ?? decoderFor(declaredCharset(bytes))
  if (labelled?.encoding === WESTERN) return utf8(bytes) ?? labelled.decode(bytes)
  if (labelled !== undefined && labelled.encoding !== UTF_8) return labelled.decode(bytes)
  const valid = utf8(bytes)
  if (valid !== undefined) return valid
  const text = new TextDecoder(UTF_8).decode(bytes)
  if (!isMostlyLost(text)) return text
  const declared = decoderFor(declaredCharset(bytes))
  return (
    declared === undefined || declared.encoding === UTF_8
      ? new TextDecoder(detectCharset(bytes))
      : declared
  ).decode(bytes)
}

/**
 * The same for a page passed on by a vendor that may have converted it to UTF-8 without changing its
 * declarations: bytes that are valid UTF-8 are decoded as UTF-8.
 */
export function decodeHandedOn(bytes: Uint8Array, contentType: string | undefined): string {
  return utf8(bytes) ?? decodeText(bytes, contentType)
}

/** Undefined when the bytes are not valid UTF-8. */
function utf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder(UTF_8, { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** Whether decoding lost more non-ASCII text than it read. A UTF-8 page with a stray byte passes. */
function isMostlyLost(text: string): boolean {
  let lost = 0
  let read = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === REPLACEMENT) lost += 1
    else if (code > 0x7f) read += 1
  }
  return lost > read
}

/** The charset parameter of a Content-Type. */
export function charsetOf(contentType: string | undefined): string | undefined {
  return /charset\s*=[\s"']*([^\s"';,]+)/i.exec(contentType ?? '')?.[1]
}

function byteOrderMark(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  return bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : undefined
}

function declaredCharset(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, SNIFF_BYTES)).toString('latin1')
  const xml = /^\s*<\?xml[^>]*?encoding\s*=\s*["']([\w.:-]+)["']/i.exec(start)?.[1]
  const found =
    xml ??
    start.replace(/<!--[\s\S]*?-->/g, '').match(/<meta\b[^>]*?charset\s*=[\s"']*([\w.:-]+)/i)?.[1]
  // A declaration that is readable as ASCII cannot be in UTF-16 (HTML standard, encoding sniffing).
  return found !== undefined && /^utf-?16/i.test(found) ? 'utf-8' : found
}

function decoderFor(label: string | undefined): InstanceType<typeof TextDecoder> | undefined {
  try {
    return label === undefined ? undefined : new TextDecoder(label)
  } catch {
    return undefined
  }
}
