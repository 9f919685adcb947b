/** Patterns for public numbers and codes: citations, tax numbers, accounts, flights and others. */
import type { Rule } from './entity-kind.ts'

const upperCase = ([text = '']: readonly (string | undefined)[]): string => text.toUpperCase()
const withoutSpaces = ([text = '']: readonly (string | undefined)[]): string =>
  text.replaceAll(' ', '')

/** VAT numbers whose form alone is unmistakable. */
const VAT_FORMS =
  'DE\\d{9}|ATU\\d{8}|FR[A-Z\\d]{2}\\d{9}|IT\\d{11}|NL\\d{9}B\\d{2}|BE[01]?\\d{9}|ES[A-Z]\\d{7}[A-Z\\d]|PL\\d{10}|SE\\d{12}|IE\\d{7}[A-Z]{1,2}|GB\\d{9}(?:\\d{3})?|CHE\\d{9}'
const VAT_COUNTRIES =
  'AT|BE|BG|CY|CZ|DE|DK|EE|EL|ES|FI|FR|GB|HR|HU|IE|IT|LT|LU|LV|MT|NL|PL|PT|RO|SE|SI|SK|XI|CHE'
const VAT_CUE =
  /\b(?:VAT|USt|UID|Umsatzsteuer|MwSt|TVA|IVA|BTW|moms|tax (?:id|number|authority)|unreliable)/i
const WIKIDATA_CUE = /wikidata|\bitem\b|\bentity\b|\bproperty\b/i

/** Words of requests about flights, in the languages of the search and with frequent typing errors. */
export const FLIGHT_WORDS =
  /(?<!\p{L})(?:fl(?:y|ights?|igths?|ihgts?)|flgihts?|airports?|airlines?|airplane|planes?|delay|depart|arriv|gates?(?!\p{L})|on time|took off|take off|timetable|land(?:s|ed|ing)?(?!\p{L})|vuelos?|vols?(?!\p{L})|voos?(?!\p{L})|voli(?!\p{L})|volo(?!\p{L})|fl[uü]ge?(?!\p{L})|lot(?:u|y|ów)?(?!\p{L})|uçu[sş]|рейс|вылет|penerbangan|von|nach)|رحل[ةات]|طيران|उड़ान|航班|便(?!\p{L}{3})|フライト|항공편/iu

/** Rules in the order in which they apply. All repetitions are bounded, so no text is slow. */
export const IDENTIFIER_RULES: readonly Rule[] = [
  {
    kind: 'query',
    mask: 'sparql query',
    pattern: /\b(?:SELECT|CONSTRUCT|ASK|DESCRIBE)\b[^{}]{0,400}\{[\s\S]{1,1500}\}[^{}]{0,200}$/,
  },
  {
    kind: 'cron',
    mask: 'cron expression',
    when: /\bcron|\*/i,
    pattern: /(?<!\S)(?:[\d*][\d*,/-]{0,20} ){4}[\d*A-Z][\d*,/A-Z-]{0,20}(?!\S)/,
  },
  { kind: 'trial', mask: 'clinical trial', pattern: /\bNCT\d{8}\b/gi, read: upperCase },
  {
    kind: 'advisory',
    mask: 'vulnerability of a package',
    pattern: /\bGHSA(?:-[\da-z]{4}){3}\b|\b(?:OSV|PYSEC|RUSTSEC|GO)-\d{4}-\d{2,6}\b/g,
  },
  { kind: 'cve', mask: 'cve', pattern: /\bCVE-\d{4}-\d{4,7}\b/gi, read: upperCase },
  {
    kind: 'isbn',
    mask: 'isbn',
    pattern: /\b97[89][- ]?(?:\d[- ]?){9}\d\b/g,
    read: ([text = '']) => text.replaceAll(/[- ]/g, ''),
  },
  { kind: 'hash', mask: 'transaction', pattern: /\b0x[0-9a-fA-F]{64}\b/g },
  {
    kind: 'wallet',
    mask: 'wallet',
    pattern: /\b0x[0-9a-fA-F]{40}\b|\bbc1[a-z0-9]{25,60}\b|\b[13][a-km-zA-HJ-NP-Z1-9]{25,34}\b/g,
  },
  { kind: 'ens', mask: 'ens name', pattern: /\b[a-z0-9-]{2,60}\.eth\b/gi },
  { kind: 'accession', mask: 'filing', pattern: /\b\d{10}-\d{2}-\d{6}\b/g },
  { kind: 'lei', mask: 'lei', pattern: /\b(?=(?:\d{0,16}[A-Z]){4})[A-Z\d]{18}\d{2}\b/g },
  {
    kind: 'eori',
    mask: 'eori number',
    when: /\bEORI\b/i,
    pattern: /\b[A-Z]{2} ?(?:[A-Z]{2} ?)?\d[A-Z\d]{7,14}\b/g,
    read: withoutSpaces,
  },
  {
    kind: 'iban',
    mask: 'iban',
    pattern: /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}(?: ?[A-Z0-9]{1,3})?\b/g,
    read: withoutSpaces,
  },
  {
    kind: 'bic',
    mask: 'bic',
    when: /\b(?:BIC|SWIFT)\b/i,
    pattern: /\b[A-Z]{6}[A-Z\d]{2}(?:[A-Z\d]{3})?\b/g,
  },
  {
    kind: 'ip',
    mask: 'ip address',
    pattern: /\b(?:\d{1,3}\.){3}\d{1,3}\b|\b(?:[\da-f]{1,4}:){7}[\da-f]{1,4}\b/gi,
  },
  { kind: 'container', mask: 'container', pattern: /\b[A-Z]{3}U\d{7}\b/g },
  {
    kind: 'id',
    mask: 'id',
    pattern:
      /\b(?:job|file|conv|req|tx|agk|run|ses|trun|msg|inbox|inb|in|bs|sb|snap|dep|repo|env)[_-](?=[\w-]{0,79}(?:\d|\b))[\w-]{1,80}\b(?=[\s.,;:?!)]|$)/g,
  },
  {
    kind: 'id',
    mask: 'id',
    pattern: /(?<![\w-])[a-z]{1,10}_(?=[a-z]{0,30}\d)[A-Za-z\d]{3,60}(?![\w-])/g,
  },
  { kind: 'id', mask: 'video', pattern: /\bBV[A-Za-z\d]{10}\b/g },
  { kind: 'id', mask: 'item id', when: WIKIDATA_CUE, pattern: /\b[QP]\d{1,10}\b/g },
  {
    kind: 'docket',
    mask: 'court docket',
    pattern: /\b\d{1,2}:\d{2}-(?:cv|cr|mc|mj|bk|ap)-\d{3,6}\b/gi,
  },
  { kind: 'ein', mask: 'nonprofit ein', pattern: /\b\d{2}-\d{7}\b/g },
  { kind: 'ndc', mask: 'drug ndc', pattern: /\b\d{4,5}-\d{3,4}-\d{1,2}\b/g },
  {
    kind: 'document',
    mask: 'document',
    pattern: /(?<![\d-])(?:19|20)\d{2}-\d{5}(?![\d-])/g,
  },
  {
    kind: 'citation',
    mask: 'regulation citation',
    pattern:
      /\b\d{1,3} (?:C\.?F\.?R\.?|U\.?S\.?C\.?|Fed\. ?Reg\.|F\.?R\.?|U\.S\.|S\. ?Ct\.|F\.[23]d) ?(?:part |sec(?:tion|\.)? |§{1,2} ?)?\d{1,5}[\w.-]{0,20}(?:\([\w-]{1,5}\)){0,6}/gi,
    read: ([text = '']) => text.replace(/[.-]+$/, ''),
  },
  {
    kind: 'vat',
    mask: 'vat number',
    when: VAT_CUE,
    pattern: new RegExp(
      String.raw`\b(?:${VAT_COUNTRIES}) ?(?=[A-Z\d]{0,11}\d{4})[A-Z\d]{7,13}\b`,
      'g',
    ),
    read: withoutSpaces,
  },
  { kind: 'vat', mask: 'vat number', pattern: new RegExp(`\\b(?:${VAT_FORMS})\\b`, 'g') },
  {
    kind: 'cik',
    mask: 'cik',
    pattern: /\bCIK[\s:#]{0,3}(\d{1,10})\b/gi,
    read: ([, first = '']) => first,
  },
  {
    kind: 'vin',
    mask: 'vehicle vin',
    pattern:
      /\b(?=[A-HJ-NPR-Z\d]{0,16}\d)(?=[\dA-HJ-NPR-Z]{0,16}[A-HJ-NPR-Z])[A-HJ-NPR-Z\d]{17}\b/g,
  },
  {
    kind: 'flight',
    mask: 'flight',
    pattern:
      /(?<=\b[Ff]lights? (?:[a-z]{1,10} ){0,3})(?:[A-Z][A-Z\d] ?\d{1,4}|(?!(?:in|on|at|to|by) )[a-z][a-z\d] ?\d{2,4})\b/g,
    read: ([text = '']) => text.replace(' ', '').toUpperCase(),
  },
  {
    kind: 'flight',
    mask: 'flight',
    when: FLIGHT_WORDS,
    pattern: /\b(?:[A-Z]{2}|[A-Z]\d|\d[A-Z]) ?\d{1,4}\b(?! ?(?:results|hours|minutes|days))/g,
    read: withoutSpaces,
  },
]

/** Tokens with several digits that no other rule reads: register numbers, tracking numbers, product codes. */
export const CODE_RULE: Rule = {
  kind: 'code',
  mask: 'number',
  pattern:
    /(?<![\w$€£#.,:/-])(?=[A-Za-z\d./-]{0,40}\d{3})(?!(?:19|20)\d{2}\b|\d{3,4}[pPkK]\b|\d{1,3}(?:,\d{3})+)[A-Za-z\d](?:[A-Za-z\d]|[./-](?=[A-Za-z\d])){3,40}(?![\w%])/g,
}
