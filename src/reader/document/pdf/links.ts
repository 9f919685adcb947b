import type { Annotation, TextContent, TextItem } from './pdf-library.ts'

const MOST_LINKS = 500

/** Writes the address of each link behind its text, unless the text is the address. */
export function writeLinks(content: TextContent, annotations: readonly Annotation[]): TextContent {
  const links = annotations.filter(isWebLink).slice(0, MOST_LINKS)
  if (links.length === 0) return content
  const items = [...content.items]
  const written = new Set<string>()
  for (const { url, rect } of links) {
    const inside = items.flatMap((item, at) => ('str' in item && overlaps(item, rect) ? [at] : []))
    const last = inside.at(-1)
    const item = last === undefined ? undefined : items[last]
    if (last === undefined || item === undefined || !('str' in item)) continue
    const text = inside.map((at) => (items[at] as TextItem).str).join('')
    // A link across lines is one annotation for each line.
    const key = `${url} ${last}`
    if (written.has(key) || text.replace(/\s/g, '').includes(bareAddress(url))) continue
    written.add(key)
    const [, words = '', end = ''] = /^(.*?)([.,;:]?\s*)$/s.exec(item.str) ?? []
    items[last] = { ...item, str: `${words} (${url})${end}` }
  }
  return { ...content, items }
}

type WebLink = { readonly url: string; readonly rect: readonly number[] }

function isWebLink(annotation: Annotation): annotation is Annotation & WebLink {
  const { subtype, url, rect } = annotation
  return subtype === 'Link' && rect !== undefined && /^(https?|mailto):/i.test(url ?? '')
}

function bareAddress(url: string): string {
  return url.replace(/^(https?:\/\/|mailto:)/i, '').replace(/\/$/, '')
}

/** Whether the middle of a text's height is in the box and the text begins or ends there. */
function overlaps(
  { str, transform, width }: TextItem,
  [x = 0, y = 0, right = 0, top = 0]: readonly number[],
): boolean {
  const [, , , height = 0, left = 0, base = 0] = transform
  const middle = base + height * 0.3
  return str.trim() !== '' && middle > y && middle < top && left < right && left + width > x
}
