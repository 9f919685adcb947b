const SNIFF_BYTES = 4_096

/**
 * Bytes of a page as text. The order of trust: byte order mark, Content-Type, the page's own declaration, then valid
 * UTF-8, then windows-1252, which is what browsers assume of old pages.
 */
export function decodeText(bytes: Uint8Array, contentType: string | undefined): string {
  const label = byteOrderMark(bytes) ?? charsetOf(contentType) ?? declaredCharset(bytes)
  const declared = label === undefined ? undefined : decoderFor(label)
  if (declared !== undefined) return declared.decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/**
 * The same for a page that somebody else handed on, who may have made UTF-8 of it and left its declarations as they were:
 * what is valid UTF-8 is that.
 */
export function decodeHandedOn(bytes: Uint8Array, contentType: string | undefined): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return decodeText(bytes, contentType)
  }
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
  const found = xml ?? start.replace(/<!--[\s\S]*?-->/g, '').match(/<meta\b[^>]*?charset\s*=[\s"']*([\w.:-]+)/i)?.[1]
  // A declaration that can be read as ASCII is not in UTF-16, whatever it says (HTML standard, encoding sniffing).
  return found !== undefined && /^utf-?16/i.test(found) ? 'utf-8' : found
}

function decoderFor(label: string): InstanceType<typeof TextDecoder> | undefined {
  try {
    return new TextDecoder(label)
  } catch {
    return undefined
  }
}
