/** Finds email addresses in the source of a page. */
import { parseMailAddress } from '../shared/mail-address.ts'

const MAX_CHARACTERS = 1024 * 1024
const MAX_CANDIDATES = 2_000
const MAX_LOCAL = 64
const MAX_HOST = 253
const LOCAL_CHARACTER = /[\p{L}\p{N}.!#$%&'*+/=?^_`{|}~-]/u
const HOST_CHARACTER = /[\p{L}\p{N}.-]/u
const LINK = /mailto:([^"'<>\s?#]{3,600})/gi
/** The lookbehind tries each run of characters once: without it, the time is quadratic. */
const SURROUNDING = /^[.'`*_=|{}/-]+|(?<!['`.-])['`.-]+$/g
/** Names in forms and examples. */
const PLACEHOLDERS = new Set(
  'ana.example email example firstname.lastname firstname first.last jane.doe jane john john.doe johndoe max.mustermann mail.example name user username vorname.nachname you your youremail yourname'.split(
    ' ',
  ),
)
const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  commat: '@',
  period: '.',
  lowbar: '_',
  hyphen: '-',
  nbsp: ' ',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
}

/**
 * The addresses at the domain and its subdomains that the page shows or links, in lower case and in
 * their order. Addresses that the page disguises, and those in scripts and comments, do not count.
 */
export function findPublishedAddresses(html: string, domain: string): readonly string[] {
  const text = decodeEntities(withoutCode(html.slice(0, MAX_CHARACTERS)))
  const linked = [...text.matchAll(LINK)]
    .slice(0, MAX_CANDIDATES)
    .flatMap(([, target = '']) => decodePercent(target).split(/[,;]/))
    .slice(0, MAX_CANDIDATES)
  // Percent signs of links would become part of a name.
  const shown = shownAddresses(text.replaceAll(LINK, ' '))
  const found = [...linked, ...shown].flatMap((one) => {
    const address = parseMailAddress(one.replace(SURROUNDING, ''))
    if (address === null || PLACEHOLDERS.has(address.local.toLowerCase())) return []
    const isOwn = address.domain === domain || address.domain.endsWith(`.${domain}`)
    return isOwn ? [address.email.toLowerCase()] : []
  })
  return [...new Set(found)]
}

/** The text around each @, as far as it can belong to an address. */
function shownAddresses(text: string): readonly string[] {
  const found: string[] = []
  for (
    let at = text.indexOf('@');
    at >= 0 && found.length < MAX_CANDIDATES;
    at = text.indexOf('@', at + 1)
  ) {
    let start = at
    while (start > 0 && at - start < MAX_LOCAL && LOCAL_CHARACTER.test(text.charAt(start - 1)))
      start -= 1
    let end = at + 1
    while (end < text.length && end - at <= MAX_HOST && HOST_CHARACTER.test(text.charAt(end)))
      end += 1
    found.push(text.slice(start, end))
  }
  return found
}

/** By the beginning of what they end. */
const ENDS: Readonly<Record<string, RegExp>> = {
  '<!--': /-->/g,
  '<script': /<\/script/gi,
  '<style': /<\/style/gi,
  '<template': /<\/template/gi,
}

/** Removes comments, scripts and styles by their ends, in one pass. */
function withoutCode(html: string): string {
  const starts = /<!--|<(?:script|style|template)\b/gi
  const pieces: string[] = []
  let from = 0
  for (let start = starts.exec(html); start !== null; start = starts.exec(html)) {
    pieces.push(html.slice(from, start.index))
    const end = ENDS[start[0].toLowerCase()] ?? /$/g
    end.lastIndex = starts.lastIndex
    if (end.exec(html) === null) return pieces.join(' ')
    from = end.lastIndex
    starts.lastIndex = from
  }
  return [...pieces, html.slice(from)].join(' ')
}

function decodeEntities(text: string): string {
  return text.replaceAll(
    /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,8}));/gi,
    (entity, ...found) => {
      const [decimal, hex, name] = found as readonly (string | undefined)[]
      if (name !== undefined) return ENTITIES[name.toLowerCase()] ?? entity
      const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : entity
    },
  )
}

function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
