type Word = { readonly charset: string; readonly bytes: Buffer; readonly text: string }
type DecodeWords = (text: string) => string
/** A text with the characters that its encoded words split. */
export type Repair = (text: string) => string

const WORD = String.raw`=\?([^?\s]{1,80})\?([QB])\?([^?\r\n]{0,2000})\?=`
const EACH_WORD = new RegExp(WORD, 'gi')
const ONE = WORD.replaceAll(/\((?!\?)/g, '(?:')
const RUN = new RegExp(String.raw`${ONE}(?:[ \t\r\n]{1,20}${ONE})+`, 'gi')
const MOST_RUNS = 1_000
const LOST = /\ufffd/g

/**
 * Finds adjacent encoded words (RFC 2047) of one charset in a message. Careless programs split a
 * character between two, and decoders of single words lose it. Returns a function for texts that
 * `decodeWords` returned.
 */
export function repairEncodedWords(raw: Uint8Array, decodeWords: DecodeWords): Repair {
  const right = new Map<string, string>()
  const bytes = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength)
  const text = bytes.includes('=?') ? bytes.toString('latin1') : ''
  let runs = 0
  for (const [run] of text.matchAll(RUN)) {
    runs += 1
    if (runs > MOST_RUNS) break
    const words = wordsOf(run)
    const apart = words.map((word) => decodeWords(word.text)).join('')
    const joined = joinWords(words).map(decodeWords).join('')
    if (lostIn(joined) > lostIn(apart)) continue
    for (const decoded of [apart, decodeWords(run)])
      if (decoded !== joined && decoded !== '') right.set(decoded, joined)
  }
  return right.size === 0
    ? (decoded) => decoded
    : (decoded) => {
        let repaired = decoded
        for (const [wrong, joined] of right) repaired = repaired.replaceAll(wrong, () => joined)
        return repaired
      }
}

function wordsOf(run: string): Word[] {
  return [...run.matchAll(EACH_WORD)].map(([text, charset = '', encoding = '', content = '']) => ({
    // RFC 2231 adds a language.
    charset: charset.replace(/\*.*$/, '').toLowerCase(),
    bytes: /b/i.test(encoding) ? Buffer.from(content, 'base64') : quotedBytes(content),
    text,
  }))
}

function quotedBytes(content: string): Buffer {
  return Buffer.from(
    content
      .replaceAll('_', ' ')
      .replaceAll(/=([0-9a-f]{2})/gi, (_whole, code: string) =>
        String.fromCharCode(Number.parseInt(code, 16)),
      ),
    'latin1',
  )
}

/** The texts of words of one charset, joined to one word. */
function joinWords(words: readonly Word[]): string[] {
  const groups: Word[][] = []
  for (const word of words) {
    const group = groups.at(-1)
    if (group?.[0]?.charset === word.charset) group.push(word)
    else groups.push([word])
  }
  return groups.map((group) => {
    const [{ charset, text } = { charset: '', text: '' }, ...more] = group
    const bytes = Buffer.concat(group.map((word) => word.bytes))
    return more.length === 0 ? text : `=?${charset}?B?${bytes.toString('base64')}?=`
  })
}

function lostIn(text: string): number {
  return text.match(LOST)?.length ?? 0
}
