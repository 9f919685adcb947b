/** The first and last name of a person. `last` is empty if there is only one name. */
export type PersonName = { readonly first: string; readonly last: string }

const MAX_CANDIDATES = 4
/** Letters that Unicode does not decompose. */
const SPELLINGS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ı: 'i',
}
/** Titles and suffixes that are no names. */
const NO_NAME = /^(?:dr|prof|mr|mrs|ms|sir|jr|sr|ii|iii|phd|md)$/

/** Null for a text without Latin letters: addresses have no others. */
export function parsePersonName(text: string): PersonName | null {
  const words = text
    .toLowerCase()
    .replaceAll(/[ßæœøłđı]/g, (letter) => SPELLINGS[letter] ?? letter)
    .normalize('NFKD')
    .replaceAll(/[\p{M}'’.]/gu, '')
    .split(/[^a-z-]+/)
    .map((word) => word.replaceAll(/^-+|-+$/g, ''))
    .filter((word) => word !== '' && !NO_NAME.test(word))
  const [first] = words
  if (first === undefined) return null
  return { first, last: words.length > 1 ? (words.at(-1) ?? '') : '' }
}

type Pattern = (name: PersonName) => string

/** The usual forms of company addresses, the most frequent first. */
const PATTERNS: readonly Pattern[] = [
  ({ first, last }) => `${first}.${last}`,
  ({ first, last }) => `${first.charAt(0)}${last}`,
  ({ first }) => first,
  ({ first, last }) => `${first.charAt(0)}.${last}`,
  ({ first, last }) => `${first}${last}`,
  ({ first, last }) => `${first}_${last}`,
  ({ first, last }) => `${last}.${first}`,
  ({ last }) => last,
]

/** Every usual form of the name, for comparison with published addresses. */
export function formsOf(name: PersonName): readonly string[] {
  if (name.last === '') return [name.first]
  return [...new Set(PATTERNS.map((pattern) => pattern(name)))]
}

/**
 * The few likeliest names of a mailbox. If the domain publishes personal addresses with a dot or
 * without one, forms of that kind come first.
 */
export function mailboxNames(name: PersonName, published: readonly string[]): readonly string[] {
  const forms = formsOf(name)
  const dotted = published.filter((local) => local.includes('.')).length
  const isDotted = published.length === 0 || dotted * 2 >= published.length
  const usual = forms.filter((form) => form.includes('.') === isDotted)
  const others = forms.filter((form) => form.includes('.') !== isDotted)
  const ordered = published.length === 0 ? forms : [...usual, ...others]
  return ordered.slice(0, MAX_CANDIDATES)
}
