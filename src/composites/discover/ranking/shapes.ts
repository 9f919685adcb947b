/**
 * Shapes that describe an intent better than its words: identifiers, addresses, file types, code.
 * Every repetition has a bound, so no text makes a pattern slow.
 */
type Shape = { readonly name: string; readonly pattern: RegExp }

/** In this order. Each shape reads the text that the shapes before it have left. */
const SHAPES: readonly Shape[] = [
  { name: 'sparql', pattern: /\bprefix \w{1,20}:|\bwdt?:[pq]\d{1,9}|\bselect\s{1,9}\?\w/giu },
  { name: 'sql', pattern: /\bselect\b[^;]{1,200}\bfrom\b|\binsert into\b|\bgroup by\b/giu },
  {
    name: 'code',
    pattern:
      /\bprint\(|console\.log|\bimport \w{1,30}\b|\bdef \w{1,30}\(|npm (?:i|install|run)\b|pip install|```/giu,
  },
  { name: 'email', pattern: /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}/gu },
  { name: 'url', pattern: /https?:\/\/[^\s"'<>]{1,2000}/giu },
  { name: 'doi', pattern: /\b10\.\d{4,9}\/[^\s"'<>,;]{1,120}/gu },
  { name: 'arxiv', pattern: /\barxiv:? ?\d{4}\.\d{4,5}/giu },
  { name: 'trial', pattern: /\bnct ?\d{8}\b/giu },
  { name: 'cve', pattern: /\bcve-\d{4}-\d{4,7}\b/giu },
  { name: 'isbn', pattern: /\b97[89][- ]?(?:\d[- ]?){9}\d\b/gu },
  { name: 'transaction', pattern: /\b0x[0-9a-f]{64}\b/giu },
  { name: 'wallet', pattern: /\b0x[0-9a-f]{40}\b|\bbc1[a-z0-9]{25,60}\b/giu },
  { name: 'accession', pattern: /\b\d{10}-\d{2}-\d{6}\b/gu },
  { name: 'iban', pattern: /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}(?: ?[A-Z0-9]{1,3})?\b/gu },
  { name: 'ownid', pattern: /\b(?:job|file|conv|req|tx|agk|run|sb|ses|trun)_[\w-]{4,80}\b/gu },
  { name: 'uuid', pattern: /\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/giu },
  { name: 'ein', pattern: /\b\d{2}-\d{7}\b/gu },
  { name: 'citation', pattern: /\b\d{1,2} (?:cfr|u\.?s\.?c\.?) (?:part |§ ?)?\d{1,5}/giu },
  {
    name: 'vat',
    pattern: /\b(?:AT|BE|DE|DK|ES|FI|FR|GB|IE|IT|NL|PL|PT|SE)U?\d{8,11}B?\d{0,2}\b/gu,
  },
  { name: 'vin', pattern: /\b(?=[A-Z]{0,16}\d)(?=\d{0,16}[A-Z])[A-HJ-NPR-Z\d]{17}\b/gu },
  { name: 'ip', pattern: /\b(?:\d{1,3}\.){3}\d{1,3}\b/gu },
  { name: 'coordinates', pattern: /-?\d{1,2}\.\d{2,8}, ?-?\d{1,3}\.\d{2,8}/gu },
  {
    name: 'file',
    pattern:
      /[\w-]{1,60}\.(?:pdf|docx?|xlsx?|pptx?|csv|txt|zip|epub|json|xml|mp3|mp4|mov|wav|m4a|png|jpe?g|webp|gif|svg)\b/giu,
  },
  { name: 'domain', pattern: /\b(?:[a-z0-9-]{1,63}\.){1,4}[a-z]{2,12}\b/giu },
  {
    name: 'address',
    pattern:
      /\b\d{1,6} (?:[\p{L}\d.'-]{1,30} ){1,4}(?:street|st|avenue|ave|road|rd|boulevard|blvd|lane|ln|drive|dr|court|ct|way|place|pl|terrace|parkway)\b/giu,
  },
  {
    name: 'phone',
    pattern: /(?<![\w-])\+?\d{1,3}?[ .-]?\(?\d{3}\)?[ .-]\d{3,4}[ .-]?\d{3,4}(?![\w-])/gu,
  },
  { name: 'money', pattern: /[$€£¥₹]\s?\d[\d.,]{0,15}|\b\d[\d.,]{0,15} ?(?:usd|eur|gbp|jpy)\b/giu },
  { name: 'cashtag', pattern: /\$[A-Z]{1,6}\b/gu },
  { name: 'handle', pattern: /(?<![\w@/])@[\w.]{2,40}/gu },
  { name: 'hashtag', pattern: /(?<![\w#/])#[\p{L}\d_]{2,60}/gu },
  { name: 'flight', pattern: /\b[A-Z]{2} ?\d{2,4}\b/gu },
  { name: 'ticker', pattern: /\b[A-Z]{2,5}\b/gu },
  { name: 'date', pattern: /\b(?:19|20)\d{2}-\d{2}(?:-\d{2})?\b/gu },
  { name: 'year', pattern: /\b(?:19|20)\d{2}\b/gu },
  { name: 'number', pattern: /\d+/gu },
]

export type Shaped = {
  /** Names of shapes, and details of some: `host:youtube.com`, `file:pdf`. */
  readonly shapes: readonly string[]
  /** The text with each shape replaced by a space. */
  readonly rest: string
}

export function readShapes(text: string): Shaped {
  const shapes: string[] = []
  let rest = text
  for (const { name, pattern } of SHAPES)
    rest = rest.replace(pattern, (found) => {
      shapes.push(name, ...details(name, found))
      return ' '
    })
  return { shapes: [...new Set(shapes)], rest }
}

function details(name: string, found: string): string[] {
  if (name === 'file') return [`file:${found.split('.').at(-1)?.toLowerCase() ?? ''}`]
  if (name === 'domain') return [`host:${hostOf(found)}`]
  if (name !== 'url') return []
  const url = URL.parse(found)
  const extension = /\.(\w{2,4})$/.exec(url?.pathname ?? '')?.[1]
  const path = (url?.pathname ?? '').split('/').filter(Boolean)
  return [
    `host:${hostOf(url?.hostname ?? '')}`,
    `path:${hostOf(url?.hostname ?? '')}/${path[0] ?? ''}`,
    ...(extension === undefined ? [] : [`file:${extension.toLowerCase()}`]),
  ]
}

/** The registrable part of a host, roughly: the last two labels. */
function hostOf(host: string): string {
  return host.toLowerCase().split('.').slice(-2).join('.')
}
