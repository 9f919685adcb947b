/**
 * The page that composes the frames: a backdrop, a window with images of the recorded page, the
 * pointer, the caption and the cards. It only draws; the recorded page cannot reach it.
 */
import type { Layout } from './layout.ts'

/** One frame, in pixels of the video. Opacities from 0 to 1. */
export type StageFrame = {
  /** Position in pixels from the page's corner. */
  readonly pointer: {
    readonly x: number
    readonly y: number
    readonly opacity: number
    readonly pressed: number
  }
  /** The progress of a click's ring, 0 to 1; it is gone at 1. */
  readonly ring: number
  readonly zoom: { readonly scale: number; readonly x: number; readonly y: number }
  readonly caption: { readonly text: string; readonly opacity: number }
  readonly window: { readonly opacity: number; readonly lift: number }
  readonly card: { readonly title: string; readonly subtitle: string; readonly opacity: number }
  readonly address: string
  /** The opacity of the newest page image above the previous one. */
  readonly mix: number
}

// A familiar pointer, visible on any background.
const POINTER =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path d="M4 1.8v18.1l4.9-4.5 3 6.9 3.2-1.4-3-6.8h6.7z" fill="#101321" stroke="#fff" stroke-width="1.7" stroke-linejoin="round"/></svg>'

const SCRIPT = `
const part = (id) => document.getElementById(id)
const setText = (element, text) => { if (element.textContent !== text) element.textContent = text }
globalThis.show = async (source, isCrossfaded) => {
  const image = new Image()
  image.src = source
  await image.decode()
  const before = part('image').lastElementChild
  part('image').replaceChildren(...(isCrossfaded && before !== null ? [before] : []), image)
}
globalThis.draw = ({ pointer, ring, zoom, caption, window: frame, card, address, mix }) => {
  part('zoomed').style.transformOrigin = zoom.x + 'px ' + zoom.y + 'px'
  part('zoomed').style.transform = 'scale(' + zoom.scale + ')'
  part('pointer').style.opacity = pointer.opacity
  part('pointer').style.transform = 'translate(' + pointer.x + 'px,' + pointer.y + 'px) scale(' + (1 - pointer.pressed * 0.16) + ')'
  part('ring').style.opacity = ring >= 1 ? 0 : 1 - ring
  part('ring').style.transform = 'translate(' + pointer.x + 'px,' + pointer.y + 'px) scale(' + (0.25 + ring * 0.95) + ')'
  part('caption').style.opacity = caption.text === '' ? 0 : caption.opacity
  setText(part('line'), caption.text)
  part('frame').style.opacity = frame.opacity
  part('frame').style.transform = 'translateY(' + (1 - frame.lift) * 26 + 'px) scale(' + (0.965 + frame.lift * 0.035) + ')'
  part('card').style.opacity = card.opacity
  part('card').style.transform = 'translateY(' + (1 - card.opacity) * -10 + 'px)'
  setText(part('title'), card.title)
  setText(part('subtitle'), card.subtitle)
  setText(part('address'), address)
  const newest = part('image').lastElementChild
  if (newest !== null) newest.style.opacity = mix
}`

/** The stage document. It loads nothing. */
export function stagePage({ width, height, page, barHeight, captionFontPx }: Layout): string {
  const pointerPx = Math.round(captionFontPx * 1.15)
  const below = height - page.y - page.height
  const titlePx = Math.round(Math.min(width * 0.062, 58))
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><style>
* { margin: 0; box-sizing: border-box }
body { width: ${width}px; height: ${height}px; overflow: hidden; color: #fff; font-family: "Open Sans", "DejaVu Sans", "Noto Sans", sans-serif;
  background: radial-gradient(90% 120% at 12% 0%, #5b6cf0 0%, rgba(62, 66, 168, 0) 62%), radial-gradient(80% 110% at 100% 100%, #1f8a8c 0%, rgba(22, 58, 92, 0) 60%), #171a3a }
#frame { position: absolute; left: ${page.x}px; top: ${page.y - barHeight}px; width: ${page.width}px; height: ${page.height + barHeight}px; border-radius: 12px; overflow: hidden;
  background: #fff; box-shadow: 0 1px 0 rgba(255,255,255,.25) inset, 0 18px 50px rgba(4, 6, 28, .55), 0 0 0 1px rgba(8, 10, 34, .5) }
#bar { height: ${barHeight}px; display: flex; align-items: center; gap: 8px; padding: 0 14px; background: #e9ebf2; border-bottom: 1px solid #d3d7e3 }
.dot { width: 11px; height: 11px; border-radius: 50%; flex: none }
#address { flex: 1; margin: 0 12% 0 10px; height: ${Math.round(barHeight * 0.66)}px; line-height: ${Math.round(barHeight * 0.66)}px; border-radius: 7px; background: #fff; color: #4a5068; font-size: ${Math.round(barHeight * 0.4)}px; padding: 0 12px; white-space: nowrap; overflow: hidden; text-overflow: ellipsis }
#view { position: relative; width: ${page.width}px; height: ${page.height}px; overflow: hidden }
#zoomed { position: absolute; inset: 0; will-change: transform }
#image img { position: absolute; width: ${page.width}px; height: ${page.height}px }
#pointer { position: absolute; left: ${-Math.round(pointerPx / 6)}px; top: ${-Math.round(pointerPx / 13)}px; width: ${pointerPx}px; height: ${pointerPx}px; transform-origin: 17% 8%; filter: drop-shadow(0 3px 4px rgba(0, 0, 20, .4)) }
#ring { position: absolute; left: -34px; top: -34px; width: 68px; height: 68px; border-radius: 50%; border: 4px solid #5b6cf0; background: rgba(91, 108, 240, .22) }
#caption { position: absolute; left: ${page.x}px; width: ${page.width}px; top: ${page.y + page.height}px; height: ${below}px; display: flex; align-items: center; justify-content: center }
#line { max-width: 100%; font-size: ${captionFontPx}px; line-height: 1.32; font-weight: 600; text-align: center; text-wrap: balance; text-shadow: 0 2px 10px rgba(5, 8, 30, .7);
  display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: ${Math.max(2, Math.floor((below - 18) / (captionFontPx * 1.32)))}; overflow: hidden; overflow-wrap: anywhere }
#card { position: absolute; inset: 0; display: flex; flex-direction: column; align-items: center; justify-content: center; gap: ${Math.round(titlePx * 0.45)}px; padding: 0 9%; text-align: center }
#title { font-size: ${titlePx}px; font-weight: 700; line-height: 1.16; letter-spacing: -.015em; text-wrap: balance; overflow-wrap: anywhere; text-shadow: 0 3px 22px rgba(5, 8, 30, .5) }
#rule { width: 72px; height: 5px; border-radius: 3px; background: linear-gradient(90deg, #8fa0ff, #4fd6c4) }
#subtitle { font-size: ${Math.round(titlePx * 0.44)}px; color: #cfd6ff; overflow-wrap: anywhere }
</style></head><body>
<div id="frame"><div id="bar"><i class="dot" style="background:#ff6058"></i><i class="dot" style="background:#ffbe2f"></i><i class="dot" style="background:#29c941"></i><div id="address"></div></div>
<div id="view"><div id="zoomed"><div id="image"></div><div id="ring"></div><div id="pointer">${POINTER}</div></div></div></div>
<div id="caption"><div id="line"></div></div>
<div id="card"><div id="title"></div><div id="rule"></div><div id="subtitle"></div></div>
<script>${SCRIPT}</script></body></html>`
}
