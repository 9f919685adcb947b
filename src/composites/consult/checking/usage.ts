/** Whether the values of an intent occur in the parameters of a call. */
import type { Data } from '../../../catalog/vocabulary/outcome.ts'
import { isCityOf } from '../reading/airports.ts'
import { COINS } from '../reading/entity-rules.ts'
import type { Found } from '../reading/entities.ts'
import { tickerOf } from '../reading/tickers.ts'

/** The texts and numbers in parameters, without the endpoint. */
export function textsOf(params: Data): string[] {
  return Object.entries(params).flatMap(([name, value]) =>
    name === 'endpoint' ? [] : leavesOf(value),
  )
}

function leavesOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value === 'number') return [String(value)]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leavesOf) : []
}

export function isUsed({ kind, value, text }: Found, texts: readonly string[]): boolean {
  const has = (part: string): boolean => texts.some((one) => includesWord(one, part))
  if (has(value) || has(text)) return true
  switch (kind) {
    case 'person':
      if (texts.includes(tickerOf(value))) return true
      return value.split(' ').every(has) || isCityOf(value, texts)
    case 'url':
    case 'linkedin':
      return texts.some((one) => isPartOfUrl(one, value))
    case 'domain':
      return has(value.replace(/^www\./, ''))
    case 'place':
    case 'company':
      if (texts.includes(tickerOf(value))) return true
      return isCityOf(value, texts) || (value.includes(' ') && value.split(' ').every(has))
    case 'coordinates':
      return value.split(',').every((part) => texts.includes(String(Number(part))))
    case 'duration':
      return [Number(value), Math.ceil(Number(value) / 60)].some((number) =>
        texts.includes(String(number)),
      )
    case 'money': {
      const amount = Number(value.split(' ')[0])
      return (
        [amount, Math.round(amount * 100)].some((number) => texts.includes(String(number))) ||
        texts.some((one) => one === `0-${amount}` || one.startsWith(`${amount}-`))
      )
    }
    case 'currency':
      return texts.some((one) => one.toUpperCase() === value)
    case 'ticker':
      return Object.entries(COINS).some(([name, ticker]) => ticker === value && has(name))
    case 'zip':
    case 'phone':
    case 'iban':
    case 'vat':
    case 'isbn':
      return texts.some((one) => withoutMarks(one) === withoutMarks(value))
    default:
      return false
  }
}

function includesWord(text: string, part: string): boolean {
  const [whole, word] = [text.toLowerCase(), part.toLowerCase()]
  const at = whole.indexOf(word)
  if (at < 0 || word === '') return false
  const before = whole.slice(0, at)
  const after = whole.slice(at + word.length)
  return !/[\p{L}\d]$/u.test(before) && !/^[\p{L}\d]/u.test(after)
}

/** The host of a URL, or an id within it. */
function isPartOfUrl(text: string, url: string): boolean {
  const { hostname = '' } = URL.parse(url) ?? {}
  return (
    (text.includes('.') && hostname.endsWith(text)) ||
    (/^[\w.@-]{5,}$/.test(text) &&
      new RegExp(String.raw`[/=@]${text.replaceAll(/[.@-]/g, String.raw`\$&`)}(?![\w-])`).test(url))
  )
}

function withoutMarks(text: string): string {
  return text.replaceAll(/[^\p{L}\d+]/gu, '').toUpperCase()
}
