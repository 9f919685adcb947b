import { createGunzip } from 'node:zlib'
import { attributeOf, decodeMarkup } from './map-text.ts'

export type SitemapPage = { url: string; title?: string | undefined }
/** URLs are unchanged from the file; the caller resolves relative ones. */
export type Sitemap = { pages: SitemapPage[]; sitemaps: string[] }

const MAX_UNPACKED_BYTES = 20 * 1024 * 1024
const MAX_FIELD = 4_096
const MAX_ENTRIES = 50_000
/** Tags that are not entries take time too. */
const MAX_TAGS = 4 * MAX_ENTRIES
const TAG = /<(\/?)(?:([\w.-]+):)?(sitemap|url|item|entry|loc|link|title)(?=[\s/>])([^<>]*)>/gi

/**
 * The text of a sitemap, decompressed to at most 20 MB. Of a damaged file, the part before the
 * damage.
 */
export async function unpackSitemap(body: Buffer): Promise<string> {
  if (body[0] !== 0x1f || body[1] !== 0x8b) return body.toString('utf8')
  const chunks: Buffer[] = []
  let bytes = 0
  const gunzip = createGunzip()
  gunzip.end(body)
  try {
    for await (const chunk of gunzip as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes >= MAX_UNPACKED_BYTES) break
    }
  } catch {
    // Truncated or damaged: use the part before it.
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Parses sitemaps, sitemap indexes, RSS and Atom feeds, and plain lists of URLs. */
export function parseSitemap(text: string): Sitemap {
  return /^\s*</.test(text.slice(0, 1_000).replace('\ufeff', ''))
    ? parseMarkup(text)
    : parseList(text)
}

function parseList(text: string): Sitemap {
  const lines = text.split('\n', MAX_ENTRIES).map((line) => line.trim())
  return {
    pages: lines.filter((line) => /^https?:\/\/\S+$/i.test(line)).map((url) => ({ url })),
    sitemaps: [],
  }
}

function parseMarkup(text: string): Sitemap {
  const found: Sitemap = { pages: [], sitemaps: [] }
  let entry: { kind: string; url?: string; title?: string } | undefined
  TAG.lastIndex = 0
  let tags = 0
  for (
    let match = TAG.exec(text);
    match !== null && tags < MAX_TAGS && found.pages.length + found.sitemaps.length < MAX_ENTRIES;
    match = TAG.exec(text)
  ) {
    tags += 1
    const [, slash, prefix, name = '', inside = ''] = match
    const tag = name.toLowerCase()
    const isEntry = tag !== 'loc' && tag !== 'link' && tag !== 'title'
    if (isEntry && slash === '') entry = { kind: tag }
    else if (isEntry) {
      if (entry?.url !== undefined && entry.kind === 'sitemap') found.sitemaps.push(entry.url)
      else if (entry?.url !== undefined) found.pages.push({ url: entry.url, title: entry.title })
      entry = undefined
    } else if (
      slash === '' &&
      entry !== undefined &&
      !/^(image|video|media|atom)$/i.test(prefix ?? '')
    ) {
      const linked = tag === 'link' ? attributeOf(inside, 'href') : undefined
      const { value, end } =
        linked === undefined ? fieldAt(text, TAG.lastIndex) : { value: linked, end: TAG.lastIndex }
      TAG.lastIndex = end
      if (value === '') continue
      if (tag === 'title') entry.title ??= value
      else entry.url ??= value
    }
  }
  return found
}

/**
 * The text at `start`, up to the next tag or the end of its CDATA section, which contains no tags.
 */
function fieldAt(text: string, start: number): { readonly value: string; readonly end: number } {
  const rest = text.slice(start, start + MAX_FIELD)
  const section = /^\s*<!\[CDATA\[/.exec(rest)?.[0]
  if (section === undefined) {
    const [field = ''] = rest.split('<', 1)
    return { value: decodeMarkup(field), end: start + field.length }
  }
  const [field = ''] = rest.slice(section.length).split(']]>', 1)
  return { value: field.replace(/\s+/g, ' ').trim(), end: start + section.length + field.length }
}
