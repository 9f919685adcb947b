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
    'd[oó]lar(?:es)?|dollar[oi]|доллар\\p{L}{0,3}|дол(?:лар)?|dolar\\p{L}{0,3}|美元|美金|ドル|달러|دولار|डॉलर',
    'USD',
  ],
  ['euro(?:yu|ya|nun|s)?|евро|欧元|ユーロ|유로|(?:ال)?يورو|यूरो', 'EUR'],
  [
    'libras?|livres? sterling|pfund|sterlin[ea]?|funt\\p{L}{0,3}|фунт\\p{L}{0,3}|英镑|ポンド|파운드',
    'GBP',
  ],
  ['ienes?|yenes|иен\\p{L}{0,2}|日元|円|엔화', 'JPY'],
  ['francs? suisses?|francos? suizos?|(?:schweizer )?franken|franchi(?: svizzeri)?|franków', 'CHF'],
  ['reais|reales brasileños', 'BRL'],
  ['z[lł]ot(?:y|ych|ego|ys|e|e)|zł', 'PLN'],
  ['рубл\\p{L}{0,3}|rubles?|roubles?|rubel', 'RUB'],
  ['yuanes|юан\\p{L}{0,2}|人民币|위안', 'CNY'],
  ['(?:türk )?lira(?:s[ıi]|ya|y[ıi]|n[ıi]n)?|lira turca|турецк\\p{L}{0,3} лир\\p{L}', 'TRY'],
  ['درهم(?: إماراتي)?|dirhams?|дирхам\\p{L}{0,2}', 'AED'],
  ['ريال(?: سعودي)?', 'SAR'],
  ['rupiah', 'IDR'],
  ['원화?', 'KRW'],
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

/** Units of a duration in other languages, the longest first. */
const FOREIGN_UNITS: readonly (readonly [pattern: string, seconds: number])[] = [
  ['minut\\p{L}{0,2}|минут\\p{L}?|dakika\\p{L}{0,9}|دقيقة|دقائق|मिनट|分钟|分間|分|분|menit', 60],
  [
    'stunden?|horas?|heures?|or[ae]|godzin\\p{L}?|час(?:а|ов)?|saat\\p{L}{0,9}|ساع(?:ة|ات)|घंट[ेा]|小时|時間|시간|jam',
    3_600,
  ],
  [
    'sekunden?|segundos?|secondes?|second[oi]|sekund\\p{L}?|секунд\\p{L}?|saniye\\p{L}{0,4}|ثاني[ةه]|ثوان\\p{L}?|सेकंड|秒|초|detik',
    1,
  ],
]
/** "Half an hour" and "an hour" in words. */
const SPOKEN_DURATIONS: readonly (readonly [pattern: string, seconds: number])[] = [
  [
    "half an hour|eine halbe stunde|media hora|meia hora|une demi-heure|mezz['’]ora|pół godziny|полчаса|yarım saat|نصف ساعة|आधा घंटा|आधे घंटे|半小时|半時間|30分間|반 ?시간|setengah jam",
    1_800,
  ],
  [
    "eine stunde|una hora|uma hora|une heure|un['’]ora|godzinę|ساعة واحدة|एक घंटा|一小时|一個小時|satu jam",
    3_600,
  ],
]

/** A duration in words or in another language than English, as a pattern with the flags `iu`. */
export const FOREIGN_DURATION = String.raw`(?<!\p{L})(?:${SPOKEN_DURATIONS.map(([pattern]) => pattern).join('|')})(?!\p{L})|(?<![\d.:/-])\d{1,4} ?(?:${FOREIGN_UNITS.map(([pattern]) => pattern).join('|')})(?!\p{Script=Latin}|\p{Script=Cyrillic})`

/** The seconds of a text that `FOREIGN_DURATION` matches. */
export function foreignSeconds(text: string): number {
  const spoken = SPOKEN_DURATIONS.find(([pattern]) =>
    new RegExp(`^(?:${pattern})$`, 'iu').test(text),
  )
  const unit = FOREIGN_UNITS.find(([pattern]) =>
    new RegExp(`^\\d+ ?(?:${pattern})$`, 'iu').test(text),
  )
  return spoken?.[1] ?? Number.parseInt(text, 10) * (unit?.[1] ?? 1)
}

/** Names of currencies in other languages, as alternatives of a pattern with the flag `u`. */
export const FOREIGN_CURRENCY_NAMES = FOREIGN_CURRENCIES.map(([pattern]) => pattern).join('|')
const CURRENCY_WORDS = new RegExp(
  String.raw`\b(?:${CURRENCY_CODES})\b|\b(?:us dollars?|dollars?|euros?|pounds?(?: sterling)?|yen|swiss francs?|yuan|rupees?)\b|[$€£¥]|(?<![\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Devanagari}])(?:${FOREIGN_CURRENCY_NAMES})(?!\p{Script=Latin}|\p{Script=Cyrillic})`,
  'giu',
)

/** The currencies of a text in their order. */
export function currenciesIn(text: string): string[] {
  return [...text.matchAll(CURRENCY_WORDS)].map(([word]) => toCurrency(word))
}
