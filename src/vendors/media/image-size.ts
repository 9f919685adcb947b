/** How large a picture is to be, in the words of its model. */
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import { asText } from '../../catalog/answers/vendor-failure.ts'
import { given } from './given.ts'

/** How a model is told the size: form and resolution by name, one of the vendor's named sizes, fixed sizes, or pixels. */
type Sizing = 'ratio' | 'named' | 'fixed' | 'pixels'

/** What of an image model decides the size of its pictures. */
export type Sized = {
  readonly sizing: Sizing
  /** In pixels, where the model makes none that are longer. */
  readonly longestSide?: number
  /** Where pictures are changed; left out: the model only makes new ones. */
  readonly edit?: Edit
}

type Edit = {
  readonly endpoint: string
  /** The size by which a picture keeps the form that it has; left out: so it does where no size is sent. */
  readonly size?: (resolution: unknown) => string
}

const PIXELS: Readonly<Record<string, readonly [width: number, height: number]>> = {
  '1:1': [1024, 1024],
  '16:9': [1344, 768],
  '4:3': [1152, 864],
  '3:4': [864, 1152],
  '9:16': [768, 1344],
}
const NAMED: Readonly<Record<string, string>> = {
  '1:1': 'square_hd',
  '16:9': 'landscape_16_9',
  '4:3': 'landscape_4_3',
  '3:4': 'portrait_4_3',
  '9:16': 'portrait_16_9',
}
const FIXED: Readonly<Record<string, string>> = {
  '1:1': '1024x1024',
  '3:2': '1536x1024',
  '2:3': '1024x1536',
}
const TIMES: Readonly<Record<string, number>> = { '1K': 1, '2K': 2, '4K': 4 }
const MEGAPIXEL = 1024 * 1024

type Size = { readonly width: number; readonly height: number }

/** Sides are multiples of 16, as models want them. */
export function pixelsOf(
  { aspect_ratio: form, resolution }: Data,
  longestSide = Number.POSITIVE_INFINITY,
): Size {
  const [width = 1024, height = 1024] = PIXELS[String(form)] ?? []
  const times = Math.min(TIMES[String(resolution)] ?? 1, longestSide / Math.max(width, height))
  return {
    width: Math.round((width * times) / 16) * 16,
    height: Math.round((height * times) / 16) * 16,
  }
}

/** What the model is sent for the size. */
export function sizeOf({ sizing, longestSide, edit }: Sized, asked: Data): Data {
  const { aspect_ratio: form, resolution } = asked
  const named = sizing === 'named' ? NAMED : FIXED
  if (sizing === 'ratio') return given({ aspect_ratio: form, resolution })
  if (form === undefined) return given({ image_size: edit?.size?.(resolution) })
  if (sizing === 'pixels') return { image_size: pixelsOf(asked, longestSide) }
  return { image_size: named[asText(form)] }
}

/** Begun ones count, as the vendor bills them. */
export function megapixelsOf({ width, height }: Size): number {
  return Math.ceil((width * height) / MEGAPIXEL)
}

/** The forms that can be asked for. */
export function formsOf(sizing: Sizing): readonly string[] {
  return Object.keys(sizing === 'fixed' ? FIXED : PIXELS)
}
