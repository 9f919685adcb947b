const UNSEEN_ELEMENT = /^(script|style|template|svg|head|textarea|select|math)$/
const NAMED: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  hellip: '…',
  rsquo: '’',
  lsquo: '‘',
  ndash: '–',
  mdash: '—',
  copy: '©',
}

export type VisibleText = {
  /** Text visible without scripts, entities decoded, white space collapsed. */
  text: string
  /** Text shown only without scripts or frames. */
  fallback: string
  title: string
  /** Number of characters in script elements. */
  scriptChars: number
  scripts: number
}

/** Scans the source once, in linear time for any markup, so it can run between other work. */
export function readVisibleText(html: string): VisibleText {
  const parts: Record<'text' | 'fallback' | 'title', string[]> = {
    text: [],
    fallback: [],
    title: [],
  }
  const found = { scriptChars: 0, scripts: 0 }
  let target: keyof typeof parts = 'text'
  let position = 0
  while (position < html.length) {
    const open = html.indexOf('<', position)
    if (open === -1) {
      parts[target].push(html.slice(position))
      break
    }
    if (open > position) parts[target].push(html.slice(position, open))
    if (html.startsWith('<!--', open)) {
      position = after(html, '-->', open + 4)
      continue
    }
    const match = /^<(\/?)([a-z][a-z0-9-]*|!|\?)/i.exec(html.slice(open, open + 40))
    if (match === null) {
      parts[target].push('<')
      position = open + 1
      continue
    }
    const tag = (match[2] ?? '').toLowerCase()
    const isEnd = match[1] === '/'
    const end = after(html, '>', open)
    position = end
    if (!isEnd && UNSEEN_ELEMENT.test(tag) && tag !== 'head' && html[end - 2] !== '/') {
      const close = closing(html, tag, end)
      if (tag === 'script') {
        found.scripts += 1
        found.scriptChars += close - end
      }
      position = after(html, '>', close)
    } else if (tag === 'noscript' || tag === 'iframe') {
      target = isEnd ? 'text' : 'fallback'
    } else if (tag === 'title') {
      target = isEnd ? 'text' : 'title'
    } else if (!isEnd || !/^(a|b|i|em|strong|span|u|sup|sub|small|font|code)$/.test(tag)) {
      parts[target].push(/^(a|b|i|em|strong|span|u|sup|sub|small|font|code)$/.test(tag) ? '' : ' ')
    }
  }
  const joined = (pieces: string[]) => decode(pieces.join('')).replace(/\s+/g, ' ').trim()
  return {
    text: joined(parts.text),
    fallback: joined(parts.fallback),
    title: joined(parts.title),
    ...found,
  }
}

function after(html: string, sign: string, from: number): number {
  const index = html.indexOf(sign, from)
  return index === -1 ? html.length : index + sign.length
}

/** Searches case-insensitively. Lower-casing the rest for each tag would take quadratic time. */
function closing(html: string, tag: string, from: number): number {
  const pattern = new RegExp(`</${tag}[\\s/>]`, 'gi')
  pattern.lastIndex = from
  return pattern.exec(html)?.index ?? html.length
}

function decode(text: string): string {
  return text.replace(/&(#x[0-9a-f]{1,6}|#\d{1,7}|[a-z]{2,8});?/gi, (whole, name: string) => {
    if (!name.startsWith('#')) return NAMED[name.toLowerCase()] ?? whole
    const code =
      name[1] === 'x' || name[1] === 'X'
        ? Number.parseInt(name.slice(2), 16)
        : Number(name.slice(1))
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ' '
  })
}
