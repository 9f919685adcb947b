import type { Layout } from './layout.ts'
import { between, type Point } from './motion.ts'
import type { StageFrame } from './stage-page.ts'

/** The state that steps set. Lengths in CSS pixels of the recorded page. */
export type StageState = {
  readonly pointer: Point
  readonly pointerOpacity: number
  readonly pressed: number
  readonly ring: number
  readonly caption: string
  readonly window: number
  readonly card: StageFrame['card']
  readonly address: string
}

/**
 * Everything around the recorded page: the state set by steps, and animations from frame to frame.
 */
export type StageScene = {
  set(changes: Partial<StageState>): void
  pointer(): Point
  /** Zooms gradually, frame by frame, to `at`, or to the current target without it. */
  zoomTo(scale: number, at?: Point): void
  /** Reports whether the next frame differs from the last even if nothing is set. */
  isMoving(): boolean
  /** Advances by one frame. */
  advance(): void
  /** The next frame. `mix` is the opacity of the newest page image, 0 to 1. */
  frame(mix: number): StageFrame
}

const CAPTION_FADE_FRAMES = 6
const RING_FRAMES = 14
const ZOOM_SHARE = 0.13

export function createStageScene({ viewport: { width, height, density } }: Layout): StageScene {
  let state: StageState = {
    pointer: { x: width * 0.62, y: height * 0.7 },
    pointerOpacity: 1,
    pressed: 0,
    ring: 1,
    caption: '',
    window: 0,
    card: { title: '', subtitle: '', opacity: 0 },
    address: '',
  }
  let zoom = { scale: 1, x: 0, y: 0 }
  let zoomTarget = zoom
  let captionAge = 0

  return {
    set(changes) {
      if (changes.caption !== undefined && changes.caption !== state.caption) captionAge = 0
      state = { ...state, ...changes }
    },
    pointer: () => state.pointer,
    zoomTo(scale, at) {
      const where = at === undefined ? zoomTarget : { x: at.x * density, y: at.y * density }
      // Without zoom, the center jumps.
      if (Math.abs(zoom.scale - 1) < 0.01) zoom = { scale: zoom.scale, x: where.x, y: where.y }
      zoomTarget = { scale, x: where.x, y: where.y }
    },
    isMoving: () =>
      (state.caption !== '' && captionAge < CAPTION_FADE_FRAMES) ||
      state.ring < 1 ||
      Math.abs(zoom.scale - zoomTarget.scale) > 0.002,
    advance() {
      captionAge += 1
      if (state.ring < 1) state = { ...state, ring: Math.min(1, state.ring + 1 / RING_FRAMES) }
      const follow = (from: number, to: number) => between(from, to, ZOOM_SHARE)
      zoom = {
        scale: follow(zoom.scale, zoomTarget.scale),
        x: follow(zoom.x, zoomTarget.x),
        y: follow(zoom.y, zoomTarget.y),
      }
    },
    frame(mix) {
      const { pointer, pointerOpacity, pressed, ring, caption, window, card, address } = state
      return {
        pointer: {
          x: pointer.x * density,
          y: pointer.y * density,
          opacity: pointerOpacity,
          pressed,
        },
        ring,
        zoom,
        mix,
        card,
        address,
        caption: { text: caption, opacity: Math.min(1, captionAge / CAPTION_FADE_FRAMES) * window },
        window: { opacity: window, lift: window },
      }
    },
  }
}
