/** The declared values of CSS properties, in lower case. */
export type Style = ReadonlyMap<string, string>
export type Declaration = {
  readonly name: string
  readonly value: string
  readonly isImportant: boolean
}

/** Properties that can hide text, or show it again. */
const RELEVANT =
  /^(display|visibility|opacity|content-visibility|filter|font|font-size|overflow|overflow-[xy]|height|width|max-height|max-width|min-width|flex|flex-grow|clip|clip-path|position|left|right|top|bottom|text-indent|margin|margin-left|margin-top|transform|translate|scale|color|background|background-color|background-image|background-clip|-webkit-background-clip|-webkit-text-fill-color|text-shadow|transition|animation|animation-name|will-change)$/
const MOST_CHARACTERS = 20_000

/** The declarations of a style attribute or a rule that matter here, in their order. */
export function readDeclarations(style: string): Declaration[] {
  const found: Declaration[] = []
  for (const part of style.slice(0, MOST_CHARACTERS).split(';')) {
    const colon = part.indexOf(':')
    const name = colon === -1 ? '' : part.slice(0, colon).trim().toLowerCase()
    if (!RELEVANT.test(name)) continue
    const written = part
      .slice(colon + 1)
      .trim()
      .toLowerCase()
    const isImportant = written.endsWith('!important')
    const value = isImportant ? written.slice(0, -'!important'.length).trim() : written
    if (value !== '') found.push({ name, value, isImportant })
  }
  return found
}

const FAR_PX = 900
const PX_PER_UNIT: Readonly<Record<string, number>> = {
  '': 1,
  px: 1,
  pt: 1.33,
  em: 16,
  rem: 16,
  ch: 8,
  cm: 37.8,
  in: 96,
  vw: 12.8,
  vh: 7.2,
}

/** A length in pixels; undefined for percentages, keywords and functions. */
export function lengthOf(value: string | undefined): number | undefined {
  if (value === undefined || value.length > 30) return undefined
  const [, number = '', unit = ''] = /^([+-]?[\d.]+)([a-z]*)$/.exec(value) ?? []
  const scale = PX_PER_UNIT[unit]
  return number === '' || scale === undefined ? undefined : Number(number) * scale
}

function isZero(value: string | undefined): boolean {
  if (value === '0%') return true
  const length = lengthOf(value)
  return length !== undefined && length >= 0 && length <= 1
}

function isFarOut(value: string | undefined): boolean {
  return (lengthOf(value) ?? 0) <= -FAR_PX
}

/** Reports whether an element with this style shows nothing of itself or of anything inside. */
export function hidesBox(style: Style): boolean {
  if (style.size === 0) return false
  return (
    style.get('display') === 'none' ||
    style.get('content-visibility') === 'hidden' ||
    (isTransparent(style) && !isAnimated(style)) ||
    hasNoSize(style) ||
    isClipped(style) ||
    isOffScreen(style)
  )
}

export function isTransparent(style: Style): boolean {
  const opacity = style.get('opacity')
  const amount = opacity === undefined ? 1 : Number.parseFloat(opacity)
  return (
    amount / (opacity?.endsWith('%') === true ? 100 : 1) <= 0.02 ||
    /opacity\(0(\.0+)?%?\)/.test(style.get('filter') ?? '')
  )
}

/** Libraries fade parts in while the page scrolls: their start is transparent and displaced. */
function isAnimated(style: Style): boolean {
  return [
    'transform',
    'translate',
    'scale',
    'transition',
    'animation',
    'animation-name',
    'will-change',
  ].some((name) => !/^(none|0s|auto|unset|initial)?$/.test(style.get(name) ?? ''))
}

function hasNoSize(style: Style): boolean {
  if (
    /^scale[xy]?\(0(\s*,\s*0)?\)/.test(style.get('transform') ?? '') ||
    style.get('scale') === '0'
  )
    return true
  const clips = (axis: string) =>
    /\b(hidden|clip)\b/.test(style.get(`overflow-${axis}`) ?? style.get('overflow') ?? '')
  return (
    (clips('y') && (isZero(style.get('height')) || isZero(style.get('max-height')))) ||
    (clips('x') &&
      ((isZero(style.get('width')) && !growsWide(style)) || isZero(style.get('max-width'))))
  )
}

/** Page builders write a width of one pixel for boxes that grow. */
function growsWide(style: Style): boolean {
  const grow = style.get('flex-grow') ?? style.get('flex') ?? ''
  return /^(auto|[1-9])/.test(grow) || !/^0?(px|auto|$)/.test(style.get('min-width') ?? '')
}

function isClipped(style: Style): boolean {
  const isFree = /^(absolute|fixed)$/.test(style.get('position') ?? '')
  const clip = style.get('clip') ?? ''
  const edges = /^rect\(([^()]*)\)$/
    .exec(clip)?.[1]
    ?.split(/[\s,]+/)
    .filter((edge) => edge !== '')
  return (
    (isFree && edges !== undefined && edges.every((edge) => isZero(edge))) ||
    /^(inset\(\s*(50|100)%|circle\(\s*0)/.test(style.get('clip-path') ?? '')
  )
}

function isOffScreen(style: Style): boolean {
  const isPlaced = /^(absolute|fixed|relative)$/.test(style.get('position') ?? '')
  const moved = /translate(?:x|y|3d)?\(([^()]*)\)/.exec(style.get('transform') ?? '')?.[1] ?? ''
  return (
    (isPlaced && ['left', 'top', 'right', 'bottom'].some((side) => isFarOut(style.get(side)))) ||
    ['text-indent', 'margin-left', 'margin-top'].some((name) => isFarOut(style.get(name))) ||
    (style.get('margin') ?? '').split(/\s+/).some(isFarOut) ||
    moved.split(/\s*,\s*/).some(isFarOut)
  )
}

/** A font size that is too small to see; undefined if the style sets no size. */
export function isTiny(style: Style): boolean | undefined {
  const size =
    style.get('font-size') ??
    /(?:^|\s)([\d.]+[a-z%]*)(?:\/\S+)?\s/.exec(style.get('font') ?? '')?.[1]
  if (size === undefined || size === 'inherit') return undefined
  if (size.endsWith('%')) return Number.parseFloat(size) <= 5
  const pixels = lengthOf(size)
  return pixels !== undefined && pixels <= 1
}
