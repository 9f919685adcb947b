import { seededRandom, type Random } from '../../../lib/seeded-random.ts'

/**
 * Sixty kinds of text. A kind creates the next part from random numbers; the same seed always
 * creates the same text.
 */
export type TextKind = (random: Random) => string

export function textOfKind(kind: TextKind, units: number, seed: number): string {
  const random = seededRandom(seed)
  const parts: string[] = []
  for (let length = 0; length < units;) {
    const part = kind(random)
    parts.push(part)
    length += part.length
  }
  return parts.join('')
}

const whole = (random: Random, from: number, until: number): number =>
  from + Math.floor(random() * (until - from))
const any = (random: Random, list: readonly string[] | string): string =>
  list[whole(random, 0, list.length)] ?? ''
const repeated = (count: number, make: () => string): string =>
  Array.from({ length: count }, make).join('')
const characters =
  (from: number, until: number): TextKind =>
  (random) =>
    String.fromCodePoint(whole(random, from, until))
const lettersOf =
  (alphabet: string): TextKind =>
  (random) =>
    any(random, alphabet)
const wordsOf = (text: string): TextKind => {
  const words = text.split(' ')
  return (random) => `${any(random, words)} `
}
const joined =
  (list: readonly string[], separator = ''): TextKind =>
  (random) =>
    `${any(random, list)}${separator}`
const runs =
  (make: TextKind, from: number, until: number, separator = ' '): TextKind =>
  (random) =>
    repeated(whole(random, from, until), () => make(random)) + separator

const LOWER = 'abcdefghijklmnopqrstuvwxyz'
const BASE64 = `${LOWER}${LOWER.toUpperCase()}0123456789+/`
const ENGLISH =
  'the ledger keeps every charge exact and a hold takes room before the first word of an answer is sent to its caller who pays for what was delivered nothing more'
const FRENCH =
  'les modèles de langue sont facturés à la consommation et chaque réponse est payée après avoir été livrée où ça leçon été déjà garçon hôtel'
const CODE =
  'const total = items.map((one) => one.price * 2).filter(Boolean);\nif (total.length > 0) { return total[0] ?? null }\n'
const POLISH =
  'źródło żółty łódź część ćwierć świat już każdy ponieważ który przez będzie więcej człowiek'
const VIETNAMESE =
  'Tiếng Việt rất hay và đẹp người dùng trả tiền cho mỗi câu trả lời được gửi đến họ không hơn'

/** The kinds used to tune the estimates. */
export const TUNED_KINDS: Readonly<Record<string, TextKind>> = {
  english: wordsOf(ENGLISH),
  code: (random) => CODE.slice(whole(random, 0, 40)),
  russian: wordsOf(
    'языковые модели тарифицируются по токенам которые сообщает поставщик после ответа и ничего больше не стоит',
  ),
  chinese: joined([...'语言模型的路由器按使用量计费余额精确到百万分之一美元这是一个']),
  arabic: wordsOf('نموذج اللغة يحسب التكلفة بعد كل إجابة ولا يدفع المستخدم أكثر من ذلك في أي وقت'),
  base64: lettersOf(BASE64),
  hex: lettersOf('0123456789abcdef'),
  digits: lettersOf('0123456789'),
  lowerLetters: lettersOf(LOWER),
  rareLetters: lettersOf('qxzjvkw'),
  fiveLetterNonsense: runs(lettersOf('xqzvkjwp'), 5, 6),
  camelCase: (random) =>
    any(random, LOWER).toUpperCase() + repeated(whole(random, 1, 6), () => any(random, LOWER)),
  latinExtendedB: characters(0x180, 0x250),
  combiningMarks: (random) =>
    any(random, LOWER) + repeated(whole(random, 1, 4), () => characters(0x300, 0x370)(random)),
  zalgo: (random) => any(random, LOWER) + repeated(12, () => characters(0x300, 0x370)(random)),
  emoji: characters(0x1f300, 0x1f650),
  rareHan: characters(0x3400, 0x4db0),
  rareHangul: characters(0xac00, 0xd7a4),
  mathematical: characters(0x1d400, 0x1d7ff),
  braille: characters(0x2800, 0x2900),
  privateUse: characters(0xe000, 0xf8ff),
  loneSurrogates: characters(0xd800, 0xdc00),
  zeroWidth: joined(['\u200b', '\u200c', '\u200d', '\u2060', '\ufeff', 'a']),
  spaces: () => ' ',
  newlinesAndTabs: joined(['\n', '\t', ' ', '\r\n', '\n\n']),
  devanagari: characters(0x905, 0x950),
  ethiopic: characters(0x1200, 0x1350),
  punctuation: lettersOf('!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'),
  json: (random) =>
    `{"id":${whole(random, 0, 99_999)},"name":"${any(random, LOWER)}${whole(random, 0, 999)}","ok":true,"share":${random()}},`,
  sameLetter: () => 'a',
}

/** Kinds not used for tuning. */
export const HELD_OUT_KINDS: Readonly<Record<string, TextKind>> = {
  french: wordsOf(FRENCH),
  polish: wordsOf(POLISH),
  vietnamese: wordsOf(VIETNAMESE),
  german: wordsOf(
    'die Gebühren für Sprachmodelle größer Straßenbahn Nutzungsabrechnung werden nach jeder Antwort übermäßig genau gebucht',
  ),
  japanese: joined([
    ...'言語モデルの料金は使用量によって決まります。カタカナとひらがなも混ぜて数えます',
  ]),
  korean: wordsOf('언어 모델의 가격은 사용량에 따라 결정되며 응답이 전달된 후에만 청구됩니다'),
  thai: joined([...'ภาษาไทยไม่มีช่องว่างระหว่างคำและคิดราคาตามจำนวน']),
  yoruba: wordsOf('àwọn ọ̀rọ̀ ní èdè Yorùbá máa ń ní àmì ohùn lórí wọn gẹ́gẹ́ bí ó ṣe yẹ'),
  hebrew: wordsOf('מודל השפה מחשב את המחיר אחרי כל תשובה והמשתמש לא משלם יותר'),
  python: wordsOf(
    'def total(items):\n    return sum(one.price * 2 for one in items if one is not None)\n\nclass Ledger: pass',
  ),
  minified: (random) =>
    `function ${any(random, LOWER)}(${any(random, LOWER)},${any(random, LOWER)}){return ${any(random, LOWER)}[${whole(random, 0, 99)}]||!${whole(random, 0, 2)}}var ${any(random, LOWER)}${any(random, LOWER)}=`,
  uuids: (random) =>
    `${repeated(8, () => any(random, '0123456789abcdef'))}-${repeated(4, () => any(random, '0123456789abcdef'))}-`,
  upperLetters: lettersOf(LOWER.toUpperCase()),
  alternatingCase: (random) => any(random, LOWER) + any(random, LOWER).toUpperCase(),
  consonantPairs: (random) => `${any(random, 'bcdfghjklmnpqrstvwxz')}${any(random, 'qxzj')}`,
  titleDigraphs: lettersOf('ǅǈǋǲȡȴȵȶɐɑɒʘʬ'),
  ipa: characters(0x250, 0x2b0),
  greekExtended: characters(0x1f00, 0x1fff),
  cyrillicSupplement: characters(0x460, 0x530),
  cherokee: characters(0x13a0, 0x13f0),
  canadianSyllabics: characters(0x1400, 0x1680),
  tibetan: characters(0xf40, 0xf6d),
  hanBeyondBmp: characters(0x2_0000, 0x2_a6d0),
  cuneiform: characters(0x1_2000, 0x1_2399),
  hieroglyphs: characters(0x1_3000, 0x1_342f),
  emojiSequences: (random) =>
    `${characters(0x1f466, 0x1f46a)(random)}\u{1f3fd}\u200d${characters(0x1f680, 0x1f6c0)(random)}\ufe0f`,
  boxDrawing: characters(0x2500, 0x2600),
  tags: characters(0xe_0020, 0xe_007f),
  lowSurrogates: (random) => `${any(random, LOWER)}${characters(0xdc00, 0xe000)(random)}`,
  anyUnit: characters(0, 0x1_0000),
}
