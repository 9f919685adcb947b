/** Words of titles from the words of an upstream path, such as "user followers" from "read user fans list". */
import exceptions from './phrases.json' with { type: 'json' }

const EXCEPTIONS = new Map<string, string>(Object.entries(exceptions))

const PLATFORM_WORDS = /\b(?:douyin|tiktok|kuaishou|xingtu(?= kolid))\b ?/gi

/** Each rule runs on the result of the one before it. */
const RULES: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  [/\bone (?=video|user|post)/g, ''],
  [/ by share url$/, ' by share link'],
  [/\bfans\b/g, 'followers'],
  [/\bhot search(?: (?:list|words|keywords|searches))?$/, 'trending searches'],
  [/\bhot\b/g, 'trending'],
  [/\bprops\b/g, 'effects'],
  [/\btweet(?=s?\b)/g, 'post'],
  [/\bsuggest\b/g, 'suggestions'],
  [/\brecommend\b/g, 'recommendations'],
  [/\bhomefeed\b/g, 'home feed'],
  [/\bsearchwords\b/g, 'searches'],
  [/\bdynamic details\b/, 'post details'],
  [/\bword suggestion\b/, 'word suggestions'],
  [/\bplay url\b/g, 'playback URL'],
  // "search users" and "search products list" become "user search" and "product search".
  [/^general search(?: result)?$|^search (?:all|comprehensive)$/, 'search'],
  [/^search (.+?)(?: list)?$/, '$1 search'],
  [/^(.+) search result$/, '$1 search'],
  [
    /^(.*(?:product|video|user|profile|post|note|hashtag|location|place|reel|ad|creator|job|school|topic|group|image|channel|picture))s search$/,
    '$1 search',
  ],
  [/^(.+) suggestions search$/, '$1 suggestions'],
  // "comment list" becomes "comments".
  [
    /(comment|post|video|article|product|topic|task|keyword|hashtag|creator|review|account|challenge|search|word|case|user|sku|follower|catalog|industry categorie)(?:s)? list$/,
    '$1s',
  ],
  [/(followers|replies|trends|products|comments) list$/, '$1'],
  [/\bsearchs$/, 'searches'],
  [/\bcity list$/, 'cities'],
  [/\bcategor(?:y|ies) list$/, 'categories'],
  [/^(post|video|note) comment$/, '$1 comments'],
  [/\bpost replies$/, 'post replies'],
  [/^video comment replies$/, 'comment replies'],
  // Spelling.
  [/\burls\b/g, 'URLs'],
  [/\burl\b/g, 'URL'],
  [/\bsecure user id\b/g, 'secUid'],
  [/\bids\b/g, 'IDs'],
  [/\bid\b/g, 'ID'],
  [/\bai\b/g, 'AI'],
  [/\bsso\b/g, 'SSO'],
  [/\bip\b/g, 'IP'],
  [/\bqrcode\b|\bqr code\b/g, 'QR code'],
  [/\ba bogus\b/g, 'A-Bogus'],
  [/\bx bogus\b/g, 'X-Bogus'],
  [/\bxgnarly\b/g, 'X-Gnarly'],
]

/** `phrase` begins with a verb, such as "read". The result begins in lower case. */
export function improvePhrase(phrase: string): string {
  const words = phrase
    .replace(/^read /, '')
    .replace(PLATFORM_WORDS, '')
    .trim()
  const exception = EXCEPTIONS.get(words)
  if (exception !== undefined) return exception
  return RULES.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), words)
}
