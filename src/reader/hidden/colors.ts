import type { Style } from './declarations.ts'

/** Red, green and blue, 0 to 255. */
export type Color = readonly [number, number, number]

export const WHITE: Color = [255, 255, 255]
const NAMES: Readonly<Record<string, Color>> = {
  white: WHITE,
  black: [0, 0, 0],
  snow: [255, 250, 250],
  ivory: [255, 255, 240],
  whitesmoke: [245, 245, 245],
  ghostwhite: [248, 248, 255],
  red: [255, 0, 0],
  gray: [128, 128, 128],
  grey: [128, 128, 128],
  silver: [192, 192, 192],
  blue: [0, 0, 255],
  navy: [0, 0, 128],
  yellow: [255, 255, 0],
  green: [0, 128, 0],
}
/** Colours that differ by less, over all three parts, look alike. */
const SAME = 12

/** Undefined for colours that are not written as a name, in hex digits or as `rgb()`. */
export function readColor(text: string): Color | 'transparent' | undefined {
  const value = text.trim().toLowerCase()
  if (value === 'transparent') return 'transparent'
  const hex = /^#([\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/.exec(value)?.[1]
  if (hex !== undefined) {
    const digits = hex.length <= 4 ? hex.replaceAll(/./g, '$&$&') : hex
    if (digits.slice(6) === '00') return 'transparent'
    return [0, 2, 4].map((at) => Number.parseInt(digits.slice(at, at + 2), 16)) as unknown as Color
  }
  const parts = /^rgba?\(([^()]{1,60})\)$/
    .exec(value)?.[1]
    ?.split(/[\s,/]+/)
    .filter((part) => part !== '')
  if (parts === undefined) return NAMES[value]
  if (parts[3] !== undefined && Number.parseFloat(parts[3]) <= 0.02) return 'transparent'
  const [red = Number.NaN, green = Number.NaN, blue = Number.NaN] = parts.map(
    (part) => Number.parseFloat(part) * (part.endsWith('%') ? 2.55 : 1),
  )
  return Number.isNaN(red + green + blue) ? undefined : [red, green, blue]
}

export function looksSame(one: Color, other: Color): boolean {
  return one.reduce((sum, part, at) => sum + Math.abs(part - (other[at] ?? 0)), 0) <= SAME
}

/** The ground that a style sets: a colour, `unknown` for images, undefined if it sets none. */
export function groundOf(style: Style): Color | 'unknown' | undefined {
  const image = style.get('background-image') ?? 'none'
  const short = style.get('background')
  if (image !== 'none' || /url\(|gradient|var\(/.test(short ?? '')) return 'unknown'
  const value = style.get('background-color') ?? short
  if (value === undefined || /^(none|inherit|initial|unset)$/.test(value)) return undefined
  const color = readColor(value) ?? readColor(value.split(/\s+(?![^()]*\))/)[0] ?? '')
  return color === 'transparent' ? undefined : (color ?? 'unknown')
}
