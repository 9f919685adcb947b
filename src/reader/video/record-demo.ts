import { randomUUID } from 'node:crypto'
import { readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { invariant } from '../../errors/app-error.ts'
import type { Clock } from '../../lib/clock.ts'
import { makeFolders } from '../../lib/files/make-folders.ts'
import type { Guard } from '../../upstream/guard.ts'
import type { PageBrowser } from '../render/browser.ts'
import { createSlots } from '../../lib/fairness/fair-slots.ts'
import { createUnpaidWork } from '../../lib/fairness/unpaid-work.ts'
import type { DemoRequest } from './demo-request.ts'
import { startEncoder } from './encoder.ts'
import { startFrameRecorder } from './frame-recorder.ts'
import { findFfmpeg, type FfmpegPlaces } from './find-ffmpeg.ts'
import { layoutFor, type Layout } from './layout.ts'
import { startVisit, type Visit } from './open-page.ts'
import { END_SECONDS, playScript, type PlayableSound } from './play-script.ts'
import { addSpeech, secondsOfSound, soundFormOf } from './speech.ts'
import type { Scene } from './step.ts'

export type Recording = {
  /** The path of an MP4 file, which is deleted when `use` settles. */
  readonly path: string
  readonly width: number
  readonly height: number
  readonly seconds: number
  readonly scenes: readonly Scene[]
  /** Indices of the steps whose lines are spoken. */
  readonly spoken: readonly number[]
}

/**
 * Records the script and passes the video to `use`; then deletes its file. If no step succeeded,
 * there is no video, and `scenes` give the reasons. Rejects with AppError `upstream_not_configured`
 * (no ffmpeg or browser), `overloaded` or `rate_limited`, also after half an hour of recordings within an hour, and with the signal's reason.
 */
export type RecordDemo = <T>(
  request: DemoRequest,
  use: (recording: Recording) => Promise<T>,
) => Promise<{ result: T } | { scenes: readonly Scene[] }>

export type RecorderSettings = {
  readonly browser: PageBrowser
  readonly guard: Guard
  readonly mayRead: Visit['mayRead']
  readonly ffmpeg: FfmpegPlaces
  /** The folder for temporary files. */
  readonly folder: string
  /** Fewer than the browser's pages, so that other readers do not wait for videos. */
  readonly maxConcurrentVideos: number
  readonly now: Clock
}

const MAX_BYTES = 100 * 1024 * 1024
/** The time of all recordings of one account within an hour, by the clock. */
const MOST_UNPAID_MS = 30 * 60 * 1_000
const WAITING_PER_VIDEO = 20
const LEFTOVER_AGE_MS = 60 * 60 * 1_000

export function createDemoRecorder(settings: RecorderSettings): RecordDemo {
  const { maxConcurrentVideos } = settings
  const slots = createSlots({
    places: maxConcurrentVideos,
    waiting: maxConcurrentVideos * WAITING_PER_VIDEO,
    what: 'a video recording',
  })
  const unpaid = createUnpaidWork({
    most: MOST_UNPAID_MS,
    now: settings.now,
    what: 'recordings of demos, which are free,',
  })
  return async (request, use) => {
    const program = await findFfmpeg(settings.ffmpeg)
    const releaseSlot = await slots.take(request)
    const home = join(settings.folder, randomUUID())
    const startedMs = settings.now()
    try {
      unpaid.admit(request.accountId)
      await removeLeftovers(settings.folder, settings.now())
      await makeFolders(home)
      const recorded = await recordInto(settings, program, home, request)
      return 'path' in recorded ? { result: await use(recorded) } : recorded
    } finally {
      await rm(home, { recursive: true, force: true })
      unpaid.add(request.accountId, settings.now() - startedMs)
      releaseSlot()
    }
  }
}

/** Records a video file in `home`. Returns the scenes only if no step succeeded. */
async function recordInto(
  { browser, guard, mayRead, now }: RecorderSettings,
  program: string,
  home: string,
  request: DemoRequest,
): Promise<Recording | { scenes: readonly Scene[] }> {
  const { signal, maxSeconds } = request
  const layout = layoutFor(request.aspectRatio)
  const silent = join(home, 'silent.mp4')
  const sounds = await storeSounds(program, home, request.speech)
  const encoder = startEncoder({ program, output: silent, maxBytes: MAX_BYTES })
  try {
    const work = (page: Page) =>
      onStage(page, layout, async (stage) => {
        const visit = await startVisit(page, { guard, mayRead, signal, now }, request)
        const recorder = await startFrameRecorder({
          stage,
          page,
          layout,
          encoder,
          maxSeconds,
          endSeconds: END_SECONDS,
          signal,
          now,
        })
        return {
          ...(await playScript({ visit, recorder, layout }, request, sounds)),
          seconds: recorder.seconds(),
        }
      })
    const { scenes, seconds, lines } = await browser.withPage(request, work, {
      screen: layout.viewport,
    })
    if (!scenes.some(({ ok }) => ok)) return { scenes }
    await encoder.finish()
    const path = lines.length === 0 ? silent : join(home, 'spoken.mp4')
    if (path !== silent) await addSpeech(program, silent, lines, seconds, path)
    return {
      path,
      width: layout.width,
      height: layout.height,
      scenes,
      seconds,
      spoken: lines.map(({ index }) => index),
    }
  } finally {
    encoder.stop()
  }
}

/**
 * Opens the stage in its own context: it has another size and shares nothing with the recorded
 * page.
 */
async function onStage<T>(
  page: Page,
  { width, height }: Layout,
  work: (stage: Page) => Promise<T>,
): Promise<T> {
  const browser = page.context().browser()
  invariant(browser !== null, 'a page of the shared browser has a browser')
  const context = await browser.newContext({
    viewport: { width, height },
    deviceScaleFactor: 1,
    offline: true,
  })
  try {
    return await work(await context.newPage())
  } finally {
    await context.close().catch(() => undefined)
  }
}

async function storeSounds(
  program: string,
  home: string,
  speech: DemoRequest['speech'] = new Map(),
): Promise<ReadonlyMap<number, PlayableSound>> {
  const sounds = new Map<number, PlayableSound>()
  for (const [index, bytes] of speech) {
    const form = soundFormOf(bytes)
    if (form === null) continue
    const sound = { path: join(home, `line-${index}`), form }
    await writeFile(sound.path, bytes)
    const seconds = await secondsOfSound(program, sound)
    if (seconds !== null) sounds.set(index, { ...sound, seconds })
  }
  return sounds
}

/** Removes the files of processes that were killed while recording. */
async function removeLeftovers(folder: string, nowMs: number): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name)
    const facts = await stat(path).catch(() => null)
    if (facts !== null && nowMs - facts.mtimeMs > LEFTOVER_AGE_MS)
      await rm(path, { recursive: true, force: true })
  }
}
