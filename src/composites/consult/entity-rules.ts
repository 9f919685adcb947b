/** Patterns for the entities in an intent: URLs, identifiers, codes, handles and quoted texts. */

const ENTITY_KINDS = [
  'linkedin',
  'url',
  'email',
  'domain',
  'doi',
  'trial',
  'wallet',
  'iban',
  'ein',
  'cik',
  'accession',
  'vin',
  'cve',
  'isbn',
  'vat',
  'citation',
  'address',
  'coordinates',
  'phone',
  'handle',
  'hashtag',
  'ticker',
  'flight',
  'airport',
  'docket',
  'zip',
  'label',
  'quoted',
  'person',
  'company',
  'place',
  'id',
] as const
export type EntityKind = (typeof ENTITY_KINDS)[number]

type Rule = {
  readonly kind: EntityKind
  readonly pattern: RegExp
  readonly mask: string
  readonly read?: (deps: readonly (string | undefined)[]) => string
}

const HANDLE_HOSTS =
  'com|org|net|io|dev|ai|co|so|gg|fm|ly|sh|app|gov|edu|info|biz|me|tv|eu|de|fr|uk|ch|at|nl|es|it|se|no|dk|fi|pl|be|in|jp|cn|br|ca|au|us|xyz|tech|shop|store|cloud|example|test'
const STREET =
  'street|st|avenue|ave|road|rd|boulevard|blvd|lane|ln|drive|dr|court|ct|way|place|pl|square|sq|terrace|ter|circle|cir|parkway|pkwy'

/** Tickers of coins by their names. */
export const COINS: Readonly<Record<string, string>> = {
  bitcoin: 'BTC',
  ethereum: 'ETH',
  solana: 'SOL',
  dogecoin: 'DOGE',
  litecoin: 'LTC',
  ripple: 'XRP',
  cardano: 'ADA',
}

/** Rules in the order in which they apply. All repetitions are bounded, so no text is slow. */
export const RULES: readonly Rule[] = [
  {
    kind: 'linkedin',
    mask: 'linkedin profile',
    pattern: /(?:https?:\/\/)?(?:[a-z]{2,3}\.)?linkedin\.com\/[^\s"'<>),]{1,300}/gi,
    read: ([text = '']) => withScheme(text),
  },
  {
    kind: 'url',
    mask: 'url',
    pattern: /https?:\/\/[^\s"'<>]{1,2000}/gi,
    read: ([text = '']) => text.replace(/[.,;:!?)\]]+$/, ''),
  },
  { kind: 'email', mask: 'email', pattern: /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}/g },
  {
    kind: 'doi',
    mask: 'doi',
    pattern: /\b10\.\d{4,9}\/[^\s"'<>,;]{1,120}/g,
    read: ([text = '']) => text.replace(/[.)]+$/, ''),
  },
  {
    kind: 'url',
    mask: 'url',
    pattern: new RegExp(
      String.raw`\b(?:[a-z0-9-]{1,63}\.){1,4}(?:${HANDLE_HOSTS})\/[^\s"'<>,;]{1,500}`,
      'gi',
    ),
    read: ([text = '']) => `https://${text.replace(/[.!?)]+$/, '')}`,
  },
  {
    kind: 'domain',
    mask: '',
    pattern: new RegExp(String.raw`\b(?:[a-z0-9-]{1,63}\.){1,4}(?:${HANDLE_HOSTS})\b`, 'gi'),
    read: ([text = '']) => text.toLowerCase(),
  },
  {
    kind: 'trial',
    mask: 'clinical trial',
    pattern: /\bNCT\d{8}\b/gi,
    read: ([text = '']) => text.toUpperCase(),
  },
  {
    kind: 'cve',
    mask: 'cve',
    pattern: /\bCVE-\d{4}-\d{4,7}\b/gi,
    read: ([text = '']) => text.toUpperCase(),
  },
  {
    kind: 'isbn',
    mask: 'isbn',
    pattern: /\b97[89][- ]?(?:\d[- ]?){9}\d\b/g,
    read: ([text = '']) => text.replaceAll(/[- ]/g, ''),
  },
  { kind: 'wallet', mask: 'wallet', pattern: /\b0x[0-9a-fA-F]{40}\b/g },
  { kind: 'accession', mask: 'filing', pattern: /\b\d{10}-\d{2}-\d{6}\b/g },
  {
    kind: 'iban',
    mask: 'iban',
    pattern: /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}(?: ?[A-Z0-9]{1,3})?\b/g,
    read: ([text = '']) => text.replaceAll(' ', ''),
  },
  {
    kind: 'id',
    mask: 'id',
    pattern: /\b(?:(?:job|file|conv|req|tx|agk|run|sb|ses|trun)_|sb-)[\w-]{4,80}\b/g,
  },
  { kind: 'ein', mask: 'nonprofit ein', pattern: /\b\d{2}-\d{7}\b/g },
  {
    kind: 'citation',
    mask: 'regulation citation',
    pattern: /\b\d{1,2} (?:CFR|U\.?S\.?C\.?) (?:Part |§ ?)?\d{1,5}(?:\.\d{1,5})?/gi,
  },
  {
    kind: 'vat',
    mask: 'vat number',
    pattern: /\bVAT(?: (?:number|no\.?|id))?[\s:#]{0,3}([A-Z]{2}[A-Z\d]{7,12})\b/gi,
    read: ([, first = '']) => first.toUpperCase(),
  },
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
    kind: 'address',
    mask: 'address',
    pattern: new RegExp(
      String.raw`\b\d{1,6} (?:[\p{L}\d.'-]{1,30} ){1,5}(?:${STREET})\b\.?(?:,? [\p{L} .'-]{2,40},? [A-Z]{2}(?: \d{5}(?:-\d{4})?)?|,? \d{5})?`,
      'giu',
    ),
  },
  {
    kind: 'coordinates',
    mask: 'latitude longitude',
    pattern: /-?\d{1,2}\.\d{2,8}, ?-?\d{1,3}\.\d{2,8}/g,
  },
  {
    kind: 'phone',
    mask: 'phone',
    pattern: /(?<![\w-])\+?\d{1,3}?[ .-]?\(?\d{3}\)?[ .-]\d{3,4}[ .-]?\d{3,4}(?![\w-])/g,
  },
  {
    kind: 'handle',
    mask: '',
    pattern: /(?<![\w@/])@([\w.]{2,40}\w)/g,
    read: ([, first = '']) => first,
  },
  {
    kind: 'hashtag',
    mask: 'hashtag',
    pattern: /(?<![\w&])#(\p{L}[\p{L}\d_]{1,60})/gu,
    read: ([, first = '']) => first,
  },
  {
    kind: 'ticker',
    mask: 'ticker',
    pattern: /(?<!\w)\$([A-Z]{1,6})\b|\b(?:ticker|symbol) (?:of )?([A-Z]{1,6})\b/g,
    read: ([, first, second]) => first ?? second ?? '',
  },
  {
    kind: 'ticker',
    mask: 'crypto ticker',
    pattern: /\b(bitcoin|ethereum|solana|dogecoin|litecoin|ripple|cardano)\b/gi,
    read: ([name = '']) => COINS[name.toLowerCase()] ?? '',
  },
  {
    kind: 'flight',
    mask: '',
    pattern:
      /(?<=\b[Ff]lights? (?:[a-z]{1,10} ){0,3})(?:[A-Z][A-Z\d] ?\d{1,4}|(?!(?:in|on|at|to|by) )[a-z][a-z\d] ?\d{2,4})\b/g,
    read: ([text = '']) => text.replace(' ', '').toUpperCase(),
  },
  {
    kind: 'docket',
    mask: 'court docket',
    pattern: /\b\d{1,2}:\d{2}-(?:cv|cr|mc|mj|bk|ap)-\d{3,6}\b/gi,
  },
  {
    kind: 'airport',
    mask: 'airport',
    pattern: /\b(?:from|to|at|via|airport) ([A-Z]{3})\b(?! [A-Z])/g,
    read: ([, first = '']) => first,
  },
  {
    kind: 'zip',
    mask: 'zip',
    pattern: /\b(?:zip(?: ?code)? )?(\d{5})(?:-\d{4})?\b(?! (?:results|people|rows|dollars|usd))/gi,
    read: ([, first = '']) => first,
  },
  {
    kind: 'label',
    mask: '',
    pattern: /\b(?:named|called) ([a-z][\w-]{1,39})\b(?! (?:at|who|from|of)\b)/g,
    read: ([, first = '']) => first,
  },
  {
    kind: 'quoted',
    mask: '',
    pattern:
      /(?<!\w)["“]([^"“”]{2,400})["”]|(?<![\p{L}\d])'([^']{2,200})'(?![\p{L}\d])|`([^`]{2,400})`/gu,
    read: ([, first, second, third]) => first ?? second ?? third ?? '',
  },
]

function withScheme(address: string): string {
  const text = address.replace(/[.,;:!?]+$/, '')
  return /^https?:/i.test(text) ? text : `https://${text}`
}
