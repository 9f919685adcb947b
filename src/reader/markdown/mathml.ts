import { isElement, type DomElement, type DomNode } from '../extract/dom.ts'
import { MAX_DEPTH, collapse } from '../extract/text.ts'

/**
 * A formula as TeX: the page's own, or converted from MathML. Null if plain text shows it
 * completely.
 */
export function texOf(math: DomElement): string | null {
  const own =
    math.querySelector('annotation[encoding*="tex"]')?.textContent ??
    math.getAttribute('alttext') ??
    ''
  if (own.trim() !== '') return own.trim()
  const written = row(math, 0)
  return /[\\^_{]/.test(written) ? written : null
}

type Write = (parts: readonly string[], element: DomElement) => string

const WRITERS: Readonly<Record<string, Write>> = {
  msup: ([base, up]) => script(base, '^', up),
  msub: ([base, down]) => script(base, '_', down),
  msubsup: ([base, down, up]) => script(base, '_', down) + raised('^', up),
  munder: ([base, under]) => script(base, '_', under),
  mover: ([base, over]) =>
    ACCENTS[over ?? ''] === undefined
      ? script(base, '^', over)
      : `\\${ACCENTS[over ?? '']}{${base}}`,
  munderover: ([base, under, over]) => script(base, '_', under) + raised('^', over),
  mmultiscripts: withScripts,
  mfrac: ([above, below], element) =>
    `\\${/^0\D*$/.test(element.getAttribute('linethickness') ?? '') ? 'binom' : 'frac'}{${above ?? ''}}{${below ?? ''}}`,
  msqrt: (parts) => `\\sqrt{${joined(parts)}}`,
  mroot: ([base, index]) => `\\sqrt[${index ?? ''}]{${base ?? ''}}`,
  mfenced: (parts, element) =>
    `${fence(element, 'open') ?? '('}${parts.join(element.getAttribute('separators')?.trim()[0] ?? ', ')}${fence(element, 'close') ?? ')'}`,
  mtable: (rows) => `\\begin{matrix}${rows.join(' \\\\ ')}\\end{matrix}`,
  mtr: (cells) => cells.join(' & '),
  semantics: ([shown]) => shown ?? '',
  mphantom: () => '',
  annotation: () => '',
  'annotation-xml': () => '',
}

/** Separates scripts after the base from those before it. No token equals it. */
const PRESCRIPTS = '\n'

const ACCENTS: Readonly<Record<string, string>> = {
  '¯': 'overline',
  '‾': 'overline',
  '―': 'overline',
  '^': 'hat',
  ˆ: 'hat',
  '→': 'vec',
  '⃗': 'vec',
  '~': 'tilde',
  '˜': 'tilde',
  '˙': 'dot',
  '¨': 'ddot',
}
/** Operators between two operands; some of them are a number's sign at the beginning. */
const BETWEEN = /^([=<>≤≥≠≈≡∼∝∈∉⊂⊆→⇒⇔↦+±·×−-]|:=)$/
/** Invisible operators such as function application and multiplication. */
const UNSEEN_SIGNS = /[\u2061-\u2064\u200b]/g

function fence(element: DomElement, name: string): string | undefined {
  return element.getAttribute(name)?.replace(/[{}]/g, '\\$&')
}

function row(element: DomElement, depth: number): string {
  return joined(partsOf(element, depth))
}

function partsOf(element: DomElement, depth: number): string[] {
  return [...element.childNodes]
    .filter((child) => isElement(child))
    .map((child) => part(child, depth + 1))
}

function part(element: DomElement, depth: number): string {
  const hasElements = element.children.length > 0
  if (element.localName === 'mprescripts') return PRESCRIPTS
  if (depth > MAX_DEPTH || !hasElements) return token(element)
  const write = WRITERS[element.localName]
  return write === undefined ? row(element, depth) : write(partsOf(element, depth), element)
}

function token(element: DomNode & { readonly localName?: string }): string {
  const words = collapse((element.textContent ?? '').replaceAll(UNSEEN_SIGNS, ''))
  if (element.localName === 'mtext') return /\p{L}{2}/u.test(words) ? `\\text{${words}}` : words
  const signs = words.trim().replace(/[#$%&_{}]/g, '\\$&')
  return element.localName === 'mi' && /^\p{L}{2,}$/u.test(signs) ? `\\mathrm{${signs}}` : signs
}

function joined(parts: readonly string[]): string {
  return parts
    .map((one, at) => (at > 0 && BETWEEN.test(one) ? ` ${one} ` : one))
    .join('')
    .replace(/ {2,}/g, ' ')
    .trim()
}

/**
 * Pairs of index and exponent, each possibly empty. Scripts before the base are attached to an
 * empty base, as in TeX.
 */
function withScripts([base, ...scripts]: readonly string[]): string {
  const at = scripts.indexOf(PRESCRIPTS)
  const before = at === -1 ? '' : pairs(scripts.slice(at + 1))
  return `${before === '' ? '' : `{}${before}`}${grouped(base)}${pairs(at === -1 ? scripts : scripts.slice(0, at))}`
}

function pairs(scripts: readonly string[]): string {
  return scripts
    .map((one, at) =>
      at % 2 === 1
        ? ''
        : (one === '' ? '' : raised('_', one)) +
          (scripts[at + 1] ? raised('^', scripts[at + 1]) : ''),
    )
    .filter((pair) => pair !== '')
    .join('{}')
}

function script(base = '', sign: '^' | '_', of = ''): string {
  return grouped(base) + raised(sign, of)
}

function grouped(base = ''): string {
  return /^(.|\\\w+\{[^{}]*\})$/su.test(base) || /^\d+$/.test(base) ? base : `{${base}}`
}

function raised(sign: '^' | '_', of = ''): string {
  return of.length === 1 ? sign + of : `${sign}{${of}}`
}
