import type { Layout } from './layout.ts'
import { between, type Point } from './motion.ts'
import type { Picture } from './stage-page.ts'

/** What steps set; lengths in CSS pixels of the filmed page. */
export type Scenery = {
  readonly pointer: Point
  readonly pointerOpacity: number
  readonly pressed: number
  readonly ring: number
  readonly caption: string
  readonly window: number
  readonly card: Picture['card']
  readonly address: string
}

/** What a frame of the film shows around the filmed page: what steps set, and what moves on from frame to frame. */
export type Scene = {
  set(changes: Partial<Scenery>): void
  pointer(): Point
  /** Goes there gradually, frame by frame; where it is when `at` is left out. */
  zoomTo(scale: number, at?: Point): void
  /** Whether the next frame differs from the last although nothing is set. */
  isMoving(): boolean
  /** By one frame. */
  moveOn(): void
  /** `mix` is how much of the newest picture of the page is there, 0 to 1. */
  picture(mix: number): Picture
}

const CAPTION_FADE_FRAMES = 6
const RING_FRAMES = 14
const ZOOM_SHARE = 0.13

export function createScene({ viewport: { width, height, density } }: Layout): Scene {
  let scenery: Scenery = {
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
      if (changes.caption !== undefined && changes.caption !== scenery.caption) captionAge = 0
      scenery = { ...scenery, ...changes }
    },
    pointer: () => scenery.pointer,
    zoomTo(scale, at) {
      const where = at === undefined ? zoomTarget : { x: at.x * density, y: at.y * density }
      // From rest the centre needs no way of its own.
      if (Math.abs(zoom.scale - 1) < 0.01) zoom = { scale: zoom.scale, x: where.x, y: where.y }
      zoomTarget = { scale, x: where.x, y: where.y }
    },
    isMoving: () =>
      (scenery.caption !== '' && captionAge < CAPTION_FADE_FRAMES) ||
      scenery.ring < 1 ||
      Math.abs(zoom.scale - zoomTarget.scale) > 0.002,
    moveOn() {
      captionAge += 1
      if (scenery.ring < 1)
        scenery = { ...scenery, ring: Math.min(1, scenery.ring + 1 / RING_FRAMES) }
      const follow = (from: number, to: number) => between(from, to, ZOOM_SHARE)
      zoom = {
        scale: follow(zoom.scale, zoomTarget.scale),
        x: follow(zoom.x, zoomTarget.x),
        y: follow(zoom.y, zoomTarget.y),
      }
    },
    picture(mix) {
      const { pointer, pointerOpacity, pressed, ring, caption, window, card, address } = scenery
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
