import { escapeHtml } from '../markup.ts'
import {
  attributeOf,
  childOf,
  childrenOf,
  elementsOf,
  pathOf,
  textOf,
  type XmlElement,
} from '../xml.ts'

/** A formula of Office (OMML) as MathML, which the Markdown writer converts to TeX. */
export function ommlToMathml(math: XmlElement, isBlock: boolean): string {
  const content = childrenMathml(math)
  return content === '' ? '' : `<math${isBlock ? ' display="block"' : ''}>${content}</math>`
}

type Write = (element: XmlElement) => string

const WRITERS: Readonly<Record<string, Write>> = {
  r: runMathml,
  del: () => '',
  moveFrom: () => '',
  f: (it) =>
    tag(
      'mfrac',
      settingOf(it, 'type') === 'noBar' ? ' linethickness="0"' : '',
      row(it, 'num'),
      row(it, 'den'),
    ),
  sSup: (it) => tag('msup', '', row(it, 'e'), row(it, 'sup')),
  sSub: (it) => tag('msub', '', row(it, 'e'), row(it, 'sub')),
  sSubSup: (it) => tag('msubsup', '', row(it, 'e'), row(it, 'sub'), row(it, 'sup')),
  sPre: (it) =>
    tag('mmultiscripts', '', row(it, 'e'), '<mprescripts/>', row(it, 'sub'), row(it, 'sup')),
  rad: (it) =>
    isEmpty(childOf(it, 'deg')) || isSet(it, 'degHide')
      ? tag('msqrt', '', row(it, 'e'))
      : tag('mroot', '', row(it, 'e'), row(it, 'deg')),
  nary: naryMathml,
  d: (it) =>
    tag(
      'mfenced',
      ` open="${escapeHtml(settingOf(it, 'begChr') ?? '(')}" close="${escapeHtml(settingOf(it, 'endChr') ?? ')')}" separators="${escapeHtml(settingOf(it, 'sepChr') ?? '|')}"`,
      ...childrenOf(it, 'e').map(rowOf),
    ),
  func: (it) => row(it, 'fName') + row(it, 'e'),
  limLow: (it) => tag('munder', '', row(it, 'e'), row(it, 'lim')),
  limUpp: (it) => tag('mover', '', row(it, 'e'), row(it, 'lim')),
  acc: (it) => tag('mover', '', row(it, 'e'), sign(ACCENTS[settingOf(it, 'chr') ?? HAT] ?? HAT)),
  bar: (it) =>
    tag(settingOf(it, 'pos') === 'top' ? 'mover' : 'munder', '', row(it, 'e'), sign('¯')),
  groupChr: (it) =>
    tag(
      settingOf(it, 'pos') === 'top' ? 'mover' : 'munder',
      '',
      row(it, 'e'),
      sign(settingOf(it, 'chr') ?? '⏟'),
    ),
  m: (it) =>
    tag(
      'mtable',
      '',
      ...childrenOf(it, 'mr').map((line) => tag('mtr', '', ...childrenOf(line, 'e').map(cell))),
    ),
  eqArr: (it) =>
    tag(
      'mtable',
      '',
      ...childrenOf(it, 'e').map((line) => tag('mtr', '', cell(withoutMarks(line)))),
    ),
  phant: (it) => (settingOf(it, 'show') === '0' ? '' : row(it, 'e')),
}

const HAT = '\u0302'
/** Combining accents, and the signs of MathML for them. */
const ACCENTS: Readonly<Record<string, string>> = {
  [HAT]: '^',
  '\u0303': '~',
  '\u0304': '¯',
  '\u0305': '¯',
  '\u0307': '˙',
  '\u0308': '¨',
  '\u20D7': '⃗',
}

function childrenMathml(parent: XmlElement): string {
  return elementsOf(parent)
    .filter(({ name }) => !name.endsWith('Pr'))
    .map((child) => (WRITERS[child.name] ?? childrenMathml)(child))
    .join('')
}

/** An operator with limits, and what it applies to. */
function naryMathml(it: XmlElement): string {
  const operator = sign(settingOf(it, 'chr') ?? '∫')
  const hasLimit = (name: 'sub' | 'sup'): boolean =>
    !isSet(it, `${name}Hide`) && !isEmpty(childOf(it, name))
  const limits = (['sub', 'sup'] as const).filter(hasLimit)
  const [only] = limits
  return (
    (only === undefined
      ? operator
      : tag(
          limits.length === 2 ? 'msubsup' : `m${only}`,
          '',
          operator,
          ...limits.map((name) => row(it, name)),
        )) + row(it, 'e')
  )
}

/** Plain runs are names such as "sin"; each letter of another run is a name. */
function runMathml(run: XmlElement): string {
  const format = childOf(run, 'rPr')
  const text = childrenOf(run, 't').map(textOf).join('')
  if (isSet(run, 'nor')) return `<mtext>${escapeHtml(text)}</mtext>`
  const isName = attributeOf(childOf(format, 'sty'), 'val') === 'p'
  return (text.match(isName ? /\p{L}+|\d+(?:[.,]\d+)*|\S/gu : /\d+(?:[.,]\d+)*|\S/gu) ?? [])
    .map((part) =>
      /^\d/.test(part)
        ? `<mn>${part}</mn>`
        : /^\p{L}/u.test(part)
          ? `<mi>${part}</mi>`
          : sign(part),
    )
    .join('')
}

/** The lines of equations mark where they align. */
function withoutMarks(element: XmlElement): XmlElement {
  return {
    ...element,
    children: element.children.map((child) =>
      typeof child === 'string' ? child.replaceAll('&', '') : withoutMarks(child),
    ),
  }
}

function tag(name: string, attributes: string, ...content: readonly string[]): string {
  return `<${name}${attributes}>${content.join('')}</${name}>`
}

const sign = (text: string): string => `<mo>${escapeHtml(text)}</mo>`
const cell = (it: XmlElement): string => tag('mtd', '', childrenMathml(it))
const rowOf = (it: XmlElement): string => tag('mrow', '', childrenMathml(it))

function row(parent: XmlElement, name: string): string {
  const part = childOf(parent, name)
  return part === undefined ? '<mrow></mrow>' : rowOf(part)
}

function isEmpty(part: XmlElement | undefined): boolean {
  return part === undefined || textOf(part).trim() === ''
}

/** A setting such as `m:chr` of `m:naryPr`. */
function settingOf(element: XmlElement, name: string): string | undefined {
  return attributeOf(pathOf(element, `${element.name}Pr`, name), 'val')
}

function isSet(element: XmlElement, name: string): boolean {
  const setting = pathOf(element, `${element.name}Pr`, name)
  return setting !== undefined && !/^(0|false|off)$/.test(attributeOf(setting, 'val') ?? '1')
}
