/** Numbers in words, amounts of money, durations and currencies. */

export const NUMBER_WORDS: Readonly<Record<string, number>> = {
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  twelve: 12,
  fifteen: 15,
  twenty: 20,
  thirty: 30,
  fifty: 50,
  'a hundred': 100,
  'one hundred': 100,
}

const CURRENCIES: Readonly<Record<string, string>> = {
  $: 'USD',
  dollar: 'USD',
  'us dollar': 'USD',
  '€': 'EUR',
  euro: 'EUR',
  '£': 'GBP',
  pound: 'GBP',
  'pound sterling': 'GBP',
  '¥': 'JPY',
  yen: 'JPY',
  'swiss franc': 'CHF',
  yuan: 'CNY',
  rupee: 'INR',
  cent: 'USD',
}

/** Names of currencies in further languages, with their endings. */
const FOREIGN_CURRENCIES: readonly (readonly [pattern: string, code: string])[] = [
  [
    'd[oó]lar(?:es)?|dollar[oi]|доллар\\p{L}{0,3}|дол(?:лар)?|dolar\\p{L}{0,2}|美元|美金|ドル|달러|دولار|डॉलर',
    'USD',
  ],
  ['евро|欧元|ユーロ|유로|(?:ال)?يورو|यूरो', 'EUR'],
  ['libras?|livres? sterling|pfund|sterlin|фунт\\p{L}{0,3}|英镑|ポンド|파운드', 'GBP'],
  ['ienes?|yenes|иен\\p{L}{0,2}|日元|円|엔화', 'JPY'],
  ['francs? suisses?|francos? suizos?|(?:schweizer )?franken|franchi(?: svizzeri)?|franków', 'CHF'],
  ['reais|reales brasileños', 'BRL'],
  ['z[lł]ot(?:y|ych|ego|ys|e|e)|zł', 'PLN'],
  ['рубл\\p{L}{0,3}|rubles?|roubles?|rubel', 'RUB'],
  ['yuanes|юан\\p{L}{0,2}|人民币|위안', 'CNY'],
  ['(?:türk )?liras[ıi]|lira turca|турецк\\p{L}{0,3} лир\\p{L}', 'TRY'],
  ['rupiah', 'IDR'],
  ['원화', 'KRW'],
  ['रुपये|रुपया|rupias?', 'INR'],
  ['pesos? mexicanos?|mexican pesos?', 'MXN'],
  ['kron(?:a|or) (?:swedish)|swedish kron(?:a|or)', 'SEK'],
  ['norwegian kron(?:e|er)', 'NOK'],
  ['danish kron(?:e|er)', 'DKK'],
]

/** Codes of frequent currencies, as alternatives of a pattern. */
export const CURRENCY_CODES =
  'USD|EUR|GBP|JPY|CHF|CNY|INR|AUD|CAD|NZD|SEK|NOK|DKK|PLN|CZK|HUF|RON|TRY|BRL|MXN|ZAR|SGD|HKD|KRW|THB|IDR|ILS|AED|RUB'

const SCALES: Readonly<Record<string, number>> = {
  k: 1_000,
  m: 1_000_000,
  million: 1_000_000,
  billion: 1_000_000_000,
}

/** The code of a currency's sign, name or code; '' if unknown. Names of fourteen languages. */
export function toCurrency(text: string): string {
  const plain = text.toLowerCase().trim()
  const foreign = FOREIGN_CURRENCIES.find(([pattern]) =>
    new RegExp(`^(?:${pattern})$`, 'iu').test(plain),
  )?.[1]
  return (
    CURRENCIES[plain] ??
    CURRENCIES[plain.replace(/s$/, '')] ??
    foreign ??
    (/^[a-z]{3}$/.test(plain) ? plain.toUpperCase() : '')
  )
}

/** "250 USD": the amount and its currency. */
export function toMoney([, sign, before, first, firstScale, second, secondScale, after]: readonly (
  | string
  | undefined
)[]): string {
  const number = Number((first ?? second ?? '').replaceAll(',', ''))
  const scale = SCALES[(firstScale ?? secondScale ?? '').toLowerCase()] ?? 1
  const isCents = /^cents?$/i.test(after ?? '')
  return `${(number * scale) / (isCents ? 100 : 1)} ${toCurrency(sign ?? before ?? after ?? '')}`
}

export function toNumber(text: string): number {
  const plain = text.toLowerCase()
  return plain === 'a' || plain === 'an' ? 1 : (NUMBER_WORDS[plain] ?? Number(plain))
}

export function toSeconds(count: string, unit: string): number {
  return toNumber(count) * (/^h/i.test(unit) ? 3_600 : /^m/i.test(unit) ? 60 : 1)
}

const FOREIGN = FOREIGN_CURRENCIES.map(([pattern]) => pattern).join('|')
const CURRENCY_WORDS = new RegExp(
  String.raw`\b(?:${CURRENCY_CODES})\b|\b(?:us dollars?|dollars?|euros?|pounds?(?: sterling)?|yen|swiss francs?|yuan|rupees?)\b|[$€£¥]|(?<!\p{L})(?:${FOREIGN})(?!\p{Script=Latin}|\p{Script=Cyrillic})`,
  'giu',
)

/** The currencies of a text in their order. */
export function currenciesIn(text: string): string[] {
  return [...text.matchAll(CURRENCY_WORDS)].map(([word]) => toCurrency(word))
}
