import type { TextItem } from './pdf-library.ts'

/** Text on one baseline without a wide gap. Coordinates grow to the right and downwards, in points. */
export type Segment = {
  readonly x: number
  readonly right: number
  readonly text: string
}
export type Fragment = Segment & {
  readonly y: number
  readonly size: number
  readonly isMonospace: boolean
  readonly isRightToLeft: boolean
}

export function place(
  { transform, width }: Pick<TextItem, 'transform' | 'width'>,
  page: readonly number[],
): Pick<Fragment, 'x' | 'y' | 'right' | 'size'> | undefined {
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = transform
  const [pa = 1, pb = 0, pc = 0, pd = 1, pe = 0, pf = 0] = page
  const [across, slope] = [pa * a + pc * b, pb * a + pd * b]
  if (across <= 0 || Math.abs(slope) > 0.3 * across) return undefined
  const x = pa * e + pc * f + pe
  const y = pb * e + pd * f + pf
  const size = Math.hypot(pa * c + pc * d, pb * c + pd * d)
  const scale = Math.hypot(pa, pb)
  return Number.isFinite(x + y + size) && size > 0
    ? { x, y, right: x + width * scale, size }
    : undefined
}
