/** Image sizes in the terms of each model. */
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import { asText } from '../../catalog/answers/vendor-failure.ts'
import { dropUndefined } from '../shared/fields.ts'

/**
 * How a model expects the size: aspect ratio and resolution, one of the vendor's named sizes, or
 * pixels.
 */
type Sizing = 'ratio' | 'named' | 'pixels'

/** The properties of an image model that decide the size. */
export type Sized = {
  readonly sizing: Sizing
  /** The longest side in pixels, if the model has a limit. */
  readonly longestSide?: number
  /** How the model edits images; it only creates new ones if omitted. */
  readonly edit?: Edit
}

type Edit = {
  readonly endpoint: string
  /** The size value that preserves the aspect ratio. If omitted, sending no size preserves it. */
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
const TIMES: Readonly<Record<string, number>> = { '1K': 1, '2K': 2, '4K': 4 }
const MEGAPIXEL = 1024 * 1024

type Size = { readonly width: number; readonly height: number }

/** Sides are multiples of 16, as the models require. */
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

/** The size fields of a request. */
export function sizeOf({ sizing, longestSide, edit }: Sized, input: Data): Data {
  const { aspect_ratio: form, resolution } = input
  if (sizing === 'ratio') return dropUndefined({ aspect_ratio: form, resolution })
  if (form === undefined) return dropUndefined({ image_size: edit?.size?.(resolution) })
  if (sizing === 'pixels') return { image_size: pixelsOf(input, longestSide) }
  return { image_size: NAMED[asText(form)] }
}

/** Started megapixels count in full, as the vendor bills them. */
export function megapixelsOf({ width, height }: Size): number {
  return Math.ceil((width * height) / MEGAPIXEL)
}

/** The supported aspect ratios. */
export const FORMS: readonly string[] = Object.keys(PIXELS)
