import { setTimeout as pause } from 'node:timers/promises'
import type { CDPSession, Page } from 'playwright-core'
import type { Clock } from '../../lib/clock.ts'
import { orAborted } from '../render/or-aborted.ts'
import type { Encoder } from './encoder.ts'
import type { Layout } from './layout.ts'
import { eased, FRAMES_PER_SECOND, type Point } from './motion.ts'
import { createStageScene, type StageState } from './stage-scene.ts'
import { stagePage } from './stage-page.ts'

/**
 * Records a video frame by frame. Each frame lasts 1/25 s, however long it takes to draw, so motion
 * is even on a busy machine. Time in which nothing happens (while a page loads) is not recorded.
 */
export type FrameRecorder = {
  /** The length of the video so far. */
  seconds(): number
  /** Reports whether the time for steps is used up. Nothing more is recorded then. */
  isFull(): boolean
  /** Makes the time reserved for the end available. */
  openEndReserve(): void
  set(changes: Partial<StageState>): void
  pointer(): Point
  zoomTo(scale: number, at?: Point): void
  /** Calls `each` with the progress, from 0 to 1, before each frame. */
  animate(ms: number, each: (part: number) => void | Promise<void>): Promise<void>
  /** Shows the page for this time, including its own motion. */
  hold(ms: number): Promise<void>
  /** Captures the page again and shows it immediately or with a crossfade. */
  capture(crossfadeMs?: number): Promise<void>
}

export type FrameRecorderDeps = {
  readonly stage: Page
  readonly page: Page
  readonly layout: Layout
  readonly encoder: Encoder
  readonly maxSeconds: number
  /** Reserved for the end. */
  readonly endSeconds: number
  readonly signal: AbortSignal
  readonly now: Clock
}

const LIVE_FRAMES = 5
const CAPTURE_TIMEOUT_MS = 10_000
const FRAME_MS = 1_000 / FRAMES_PER_SECOND

export async function startFrameRecorder({
  stage,
  page,
  layout,
  encoder,
  maxSeconds,
  endSeconds,
  signal,
  now,
}: FrameRecorderDeps): Promise<FrameRecorder> {
  await stage.setContent(stagePage(layout))
  const [onStage, onPage] = await Promise.all([
    stage.context().newCDPSession(stage),
    page.context().newCDPSession(page),
  ])
  const scene = createStageScene(layout)
  let mix = 1
  let frames = 0
  let limit = Math.round((maxSeconds - endSeconds) * FRAMES_PER_SECOND)
  let seen = ''
  let last: Buffer = Buffer.alloc(0)
  let isStale = true

  async function frame(): Promise<void> {
    signal.throwIfAborted()
    if (frames >= limit) return
    scene.advance()
    await stage.evaluate(`draw(${JSON.stringify(scene.frame(mix))})`)
    last = await captureFrame(onStage, signal)
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
    // A page that cannot be captured now keeps its last image.
    const source = await captureFrame(
      onPage,
      AbortSignal.any([signal, AbortSignal.timeout(CAPTURE_TIMEOUT_MS)]),
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
    openEndReserve: () => void (limit = Math.round(maxSeconds * FRAMES_PER_SECOND)),
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
        // Keeps pace with the page's own motion.
        if (count > 1)
          await pause(Math.max(0, count * FRAME_MS - (now() - startedMs)), undefined, { signal })
      }
    },
    async capture(crossfadeMs = 0) {
      await take(crossfadeMs > 0)
      if (mix < 1) await animate(crossfadeMs, (part) => void (mix = eased(part)))
      mix = 1
    },
  }
}

async function captureFrame(session: CDPSession, signal: AbortSignal): Promise<Buffer> {
  const { data } = await orAborted(
    session.send('Page.captureScreenshot', { format: 'jpeg', quality: 92 }),
    signal,
  )
  return Buffer.from(data, 'base64')
}
