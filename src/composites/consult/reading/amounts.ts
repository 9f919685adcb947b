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

/** Codes of frequent currencies, as alternatives of a pattern. */
export const CURRENCY_CODES =
  'USD|EUR|GBP|JPY|CHF|CNY|INR|AUD|CAD|NZD|SEK|NOK|DKK|PLN|CZK|HUF|RON|TRY|BRL|MXN|ZAR|SGD|HKD|KRW|THB|IDR|ILS|AED'

const SCALES: Readonly<Record<string, number>> = {
  k: 1_000,
  m: 1_000_000,
  million: 1_000_000,
  billion: 1_000_000_000,
}

/** The code of a currency's sign, name or code; '' if unknown. */
export function toCurrency(text: string): string {
  const plain = text.toLowerCase().trim()
  return (
    CURRENCIES[plain] ??
    CURRENCIES[plain.replace(/s$/, '')] ??
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

const CURRENCY_WORDS = new RegExp(
  String.raw`\b(?:${CURRENCY_CODES})\b|\b(?:us dollars?|dollars?|euros?|pounds?(?: sterling)?|yen|swiss francs?|yuan|rupees?)\b|[$€£¥]`,
  'gi',
)

/** The currencies of a text in their order. */
export function currenciesIn(text: string): string[] {
  return [...text.matchAll(CURRENCY_WORDS)].map(([word]) => toCurrency(word))
}
