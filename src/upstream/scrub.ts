const LONGEST_MESSAGE = 300
const SHORTEST_SECRET = 4
/** Ids of an account and its keys, in the forms of OpenAI, Anthropic and others, also with asterisks. */
const ACCOUNT_IDS = /\b(?:sk|rk|pk|org|proj|acct|user|key)[-_](?=[\w*.-]*[\d*])[\w*.-]{8,}/g
/** A secret of these characters has only one spelling. */
const PLAIN = /^[\w.-]*$/

/**
 * Makes a vendor's message safe to show: hides the operator's credentials and addresses, and
 * shortens the text.
 */
export function scrub(text: string, secrets: readonly string[], longest = LONGEST_MESSAGE): string {
  const clean = secrets
    .reduce(
      (shown, secret) => (secret.length < SHORTEST_SECRET ? shown : hidden(shown, secret)),
      text,
    )
    .replace(ACCOUNT_IDS, '[hidden]')
  return clean.length > longest ? `${clean.slice(0, longest)}…` : clean
}

/** Hides a secret in plain text and as escaped in URLs, forms, JSON and HTML. */
export function hidden(text: string, secret: string): string {
  if (PLAIN.test(secret)) return text.replaceAll(secret, '[hidden]')
  return text.replace(new RegExp(Array.from(secret, writtenAs).join(''), 'g'), '[hidden]')
}

const NAMED_IN_PAGES: Readonly<Record<string, string>> = {
  '&': 'amp',
  '<': 'lt',
  '>': 'gt',
  '"': 'quot',
  "'": 'apos',
}

/**
 * A pattern of all spellings of a character. JSON writers escape different characters (PHP the
 * slash, .NET the plus), and JSON may be nested in JSON.
 */
function writtenAs(character: string): string {
  if (PLAIN.test(character)) return RegExp.escape(character)
  const hexes = (numbers: readonly number[], before: string, length: number): string =>
    numbers.map((number) => before + number.toString(16).padStart(length, '0')).join('')
  const point = character.codePointAt(0) ?? 0
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index))
  const numbered = [
    hexes([...Buffer.from(character)], '%', 2),
    hexes(units, String.raw`\\{1,3}u`, 4),
    `&#x0{0,4}${point.toString(16)};`,
  ].map(eitherCase)
  const named = NAMED_IN_PAGES[character]
  const forms = [
    String.raw`\\{0,3}${RegExp.escape(character)}`,
    ...numbered,
    `&#0{0,4}${point};`,
    ...(named === undefined ? [] : [`&${named};`]),
    ...(character === ' ' ? [String.raw`\+`] : []),
  ]
  return `(?:${forms.join('|')})`
}

/** Makes hexadecimal digits match in either case. The prefix letters keep theirs. */
function eitherCase(pattern: string): string {
  return pattern.replaceAll(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)
}
