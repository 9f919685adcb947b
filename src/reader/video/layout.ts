/** The layout of a frame, in pixels of the video, except `viewport`, in the page's CSS pixels. */
export const ASPECT_RATIOS = ['16:9', '9:16', '1:1', '4:3'] as const
export type AspectRatio = (typeof ASPECT_RATIOS)[number]

export type Box = {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export type Layout = {
  /** Even, as H.264 requires. */
  readonly width: number
  readonly height: number
  /** The area of the page itself; the address bar is above it. */
  readonly page: Box
  readonly barHeight: number
  /**
   * In CSS pixels. One CSS pixel is `density` pixels of the video, so the page is rendered at its
   * display size.
   */
  readonly viewport: { readonly width: number; readonly height: number; readonly density: number }
  readonly captionFontPx: number
}

const LAYOUTS: Readonly<Record<AspectRatio, Layout>> = {
  '16:9': layout({
    width: 1280,
    height: 720,
    page: { x: 56, y: 52, width: 1168, height: 568 },
    barHeight: 32,
    pageWidth: 1320,
    captionFontPx: 25,
  }),
  '9:16': layout({
    width: 720,
    height: 1280,
    page: { x: 36, y: 84, width: 648, height: 956 },
    barHeight: 44,
    pageWidth: 412,
    captionFontPx: 33,
  }),
  '1:1': layout({
    width: 960,
    height: 960,
    page: { x: 40, y: 64, width: 880, height: 750 },
    barHeight: 36,
    pageWidth: 1040,
    captionFontPx: 28,
  }),
  '4:3': layout({
    width: 1152,
    height: 864,
    page: { x: 52, y: 62, width: 1048, height: 660 },
    barHeight: 34,
    pageWidth: 1240,
    captionFontPx: 27,
  }),
}

export function layoutFor(aspectRatio: AspectRatio): Layout {
  return LAYOUTS[aspectRatio]
}

function layout({
  pageWidth,
  ...rest
}: Omit<Layout, 'viewport'> & { readonly pageWidth: number }): Layout {
  const density = rest.page.width / pageWidth
  return {
    ...rest,
    viewport: { width: pageWidth, height: Math.round(rest.page.height / density), density },
  }
}
