/**
 * A light English stemmer for plurals and verb forms ("scrapes", "scraping", "scraper"). A stem need
 * not be a word.
 */
const UNTOUCHED = new Set([
  'news',
  'series',
  'species',
  'address',
  'business',
  'process',
  'access',
  'status',
  'analysis',
  'aws',
  'dns',
  'css',
  'js',
  'ids',
  'sms',
  'tls',
  'gps',
  'https',
  'string',
  'paper',
  'number',
  'filter',
  'user',
  'order',
  'server',
  'folder',
  'header',
  'weather',
  'career',
  'speed',
  'feed',
  'seed',
])
const SHORTEST_STEM = 4

export function stem(word: string): string {
  if (word.length <= 3 || UNTOUCHED.has(word) || /\d/.test(word)) return word
  const singular = withoutPlural(word)
  if (UNTOUCHED.has(singular)) return singular
  const verb = verbOf(singular)
  if (verb !== undefined) return verb
  return withoutFinalVowel(withoutVerbEnding(singular))
}

/** "validate" for "validation", "verify" for "verification". Undefined for shorter words such as "station". */
function verbOf(word: string): string | undefined {
  if (word.endsWith('ification') && word.length > 11) return word.slice(0, -7)
  return word.endsWith('ation') && word.length >= 9 ? word.slice(0, -3) : undefined
}

function withoutPlural(word: string): string {
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`
  if (/(?:ss|sh|ch|x|z)es$/.test(word)) return word.slice(0, -2)
  return word.endsWith('s') && !/(?:ss|us|is)$/.test(word) ? word.slice(0, -1) : word
}

function withoutVerbEnding(word: string): string {
  for (const ending of ['ing', 'ed', 'er']) {
    const rest = word.slice(0, -ending.length)
    if (word.endsWith(ending) && rest.length >= SHORTEST_STEM && /[aeiouy]/.test(rest))
      return /([bdfgmnprt])\1$/.test(rest) ? rest.slice(0, -1) : rest
  }
  return word
}

/** Matches "scrape" with "scraping", and "verify" with "verifier". */
function withoutFinalVowel(word: string): string {
  return /[eyi]$/.test(word) && word.length > SHORTEST_STEM ? word.slice(0, -1) : word
}
