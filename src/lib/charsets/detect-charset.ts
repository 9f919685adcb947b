import { analyse } from 'chardet'

const SAMPLE_BYTES = 256 * 1024
const ANALYSED_BYTES = 64 * 1024
/** Old pages without a declaration, as browsers read them. */
const WESTERN = 'windows-1252'
/** The library does not know Thai and takes it for Korean. */
const THAI = 'windows-874'
/** Detected names and the names of the Encoding standard. Unlisted results are guesses. */
const ENCODINGS: Readonly<Record<string, string>> = {
  'windows-1250': 'windows-1250',
  'ISO-8859-2': 'iso-8859-2',
  'windows-1251': 'windows-1251',
  'ISO-8859-5': 'iso-8859-5',
  'KOI8-R': 'koi8-r',
  'windows-1253': 'windows-1253',
  'ISO-8859-7': 'windows-1253',
  'windows-1254': 'windows-1254',
  'ISO-8859-9': 'windows-1254',
  'windows-1255': 'windows-1255',
  'ISO-8859-8': 'windows-1255',
  'windows-1256': 'windows-1256',
  'ISO-8859-6': 'iso-8859-6',
  GB18030: 'gb18030',
  Big5: 'big5',
  Shift_JIS: 'shift_jis',
  'EUC-JP': 'euc-jp',
  'EUC-KR': 'euc-kr',
  'ISO-2022-JP': 'iso-2022-jp',
}
/** Encodings that differ from the Western one in a few letters: fewer bytes than this decide nothing. */
const LATIN = /^(windows-125[04]|iso-8859-2)$/
const LEAST_LATIN = 5
const MARKUP = /<!--[^]*?-->|<(script|style)\b[^]*?<\/\1|<[^<>]*>|&#?\w{1,10};/gi
/** Long runs of ASCII carry no hint and dilute the statistics of the other letters. */
const ASCII_RUN = /[\0-\x7f]{40,}/g

/**
 * The encoding of a page that is not UTF-8 and declares nothing, by the statistics of its visible
 * bytes; windows-1252 when they suggest no other.
 */
export function detectCharset(bytes: Uint8Array): string {
  const visible = Buffer.from(bytes.subarray(0, SAMPLE_BYTES))
    .toString('latin1')
    .replace(MARKUP, ' ')
    .replace(ASCII_RUN, (run) => run.slice(0, 40))
    .slice(0, ANALYSED_BYTES)
  if (isThai(visible)) return THAI
  const [best] = analyse(Buffer.from(visible, 'latin1'))
  const found = ENCODINGS[best?.name ?? ''] ?? WESTERN
  return LATIN.test(found) && countOf(visible, /[\x80-\xff]/g) < LEAST_LATIN ? WESTERN : found
}

/** Detects Thai by its consonants, its vowel and tone signs, and the bytes that it never uses. */
function isThai(visible: string): boolean {
  const high = countOf(visible, /[\x80-\xff]/g)
  const share = (pattern: RegExp) => countOf(visible, pattern) / Math.max(1, high)
  return (
    share(/[\xdb-\xde\xfc-\xff]/g) < 0.005 &&
    share(/[\xd1\xd4\xd5\xe8\xe9]/g) > 0.1 &&
    share(/[\xa1-\xce]/g) > 0.4
  )
}

function countOf(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0
}
