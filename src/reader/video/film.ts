import { setTimeout as pause } from 'node:timers/promises'
import type { CDPSession, Page } from 'playwright-core'
import type { Clock } from '../../lib/clock.ts'
import { orAborted } from '../render/browser-abort.ts'
import type { Encoder } from './encoder.ts'
import type { Layout } from './layout.ts'
import { eased, FRAMES_PER_SECOND, type Point } from './motion.ts'
import { createScene, type Scenery } from './scene.ts'
import { stagePage } from './stage-page.ts'

/**
 * Makes the film frame by frame: however long a frame takes to draw, it lasts 1/25 s, so motion is even on a busy
 * machine, and time in which nothing is to be seen (a page that loads) is not in the film.
 */
export type Film = {
  /** How long the film is by now. */
  seconds(): number
  /** Whether the part that steps may use is used up: nothing more is written. */
  isFull(): boolean
  /** Lets the end use what was kept back for it. */
  openEnd(): void
  set(changes: Partial<Scenery>): void
  pointer(): Point
  zoomTo(scale: number, at?: Point): void
  /** `each` is told how far the motion is, 0 to 1, before each of its frames. */
  animate(ms: number, each: (part: number) => void | Promise<void>): Promise<void>
  /** Shows what there is, and what moves on the page by itself. */
  hold(ms: number): Promise<void>
  /** Takes a new picture of the page: at once, or crossfading. */
  look(crossfadeMs?: number): Promise<void>
}

export type FilmParts = {
  readonly stage: Page
  readonly page: Page
  readonly layout: Layout
  readonly encoder: Encoder
  readonly maxSeconds: number
  /** Kept back for the end. */
  readonly endSeconds: number
  readonly signal: AbortSignal
  readonly now: Clock
}

const LIVE_FRAMES = 5
const LOOK_TIMEOUT_MS = 10_000
const FRAME_MS = 1_000 / FRAMES_PER_SECOND

export async function startFilm({
  stage,
  page,
  layout,
  encoder,
  maxSeconds,
  endSeconds,
  signal,
  now,
}: FilmParts): Promise<Film> {
  await stage.setContent(stagePage(layout))
  const [onStage, onPage] = await Promise.all([
    stage.context().newCDPSession(stage),
    page.context().newCDPSession(page),
  ])
  const scene = createScene(layout)
  let mix = 1
  let frames = 0
  let limit = Math.round((maxSeconds - endSeconds) * FRAMES_PER_SECOND)
  let seen = ''
  let last: Buffer = Buffer.alloc(0)
  let isStale = true

  async function frame(): Promise<void> {
    signal.throwIfAborted()
    if (frames >= limit) return
    scene.moveOn()
    await stage.evaluate(`draw(${JSON.stringify(scene.picture(mix))})`)
    last = await capture(onStage, signal)
    isStale = false
    frames += 1
    await encoder.write(last, 1)
  }

  async function repeat(count: number): Promise<void> {
    const fitting = Math.max(0, Math.min(count, limit - frames))
    frames += fitting
    await encoder.write(last, fitting)
  }

  async function take(isCrossfaded: boolean): Promise<void> {
    // A page that cannot be drawn just now keeps the picture it had.
    const source = await capture(
      onPage,
      AbortSignal.any([signal, AbortSignal.timeout(LOOK_TIMEOUT_MS)]),
    ).then(
      (jpeg) => jpeg.toString('base64'),
      () => seen,
    )
    if (source === seen) return
    seen = source
    isStale = true
    mix = isCrossfaded ? 0 : 1
    await stage.evaluate(`show("data:image/jpeg;base64,${source}", ${isCrossfaded})`)
  }

  async function animate(ms: number, each: (part: number) => void | Promise<void>): Promise<void> {
    const count = Math.max(1, Math.round(ms / FRAME_MS))
    for (let index = 1; index <= count && frames < limit; index += 1) {
      await each(index / count)
      await frame()
    }
  }

  return {
    seconds: () => frames / FRAMES_PER_SECOND,
    isFull: () => frames >= limit,
    openEnd: () => void (limit = Math.round(maxSeconds * FRAMES_PER_SECOND)),
    set(changes) {
      scene.set(changes)
      isStale = true
    },
    pointer: scene.pointer,
    zoomTo: scene.zoomTo,
    animate,
    async hold(ms) {
      let left = Math.max(0, Math.round(ms / FRAME_MS))
      while (left > 0 && frames < limit) {
        const startedMs = now()
        await take(false)
        const count = scene.isMoving() ? 1 : Math.min(left, LIVE_FRAMES)
        if (isStale || scene.isMoving()) {
          await frame()
          await repeat(count - 1)
        } else await repeat(count)
        left -= count
        // In step with the page's own motion.
        if (count > 1)
          await pause(Math.max(0, count * FRAME_MS - (now() - startedMs)), undefined, { signal })
      }
    },
    async look(crossfadeMs = 0) {
      await take(crossfadeMs > 0)
      if (mix < 1) await animate(crossfadeMs, (part) => void (mix = eased(part)))
      mix = 1
    },
  }
}

async function capture(session: CDPSession, signal: AbortSignal): Promise<Buffer> {
  const { data } = await orAborted(
    session.send('Page.captureScreenshot', { format: 'jpeg', quality: 92 }),
    signal,
  )
  return Buffer.from(data, 'base64')
}
