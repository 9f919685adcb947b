import { randomUUID } from 'node:crypto'
import { readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { invariant } from '../../errors/app-error.ts'
import type { Clock } from '../../lib/clock.ts'
import { makeFolders } from '../../lib/files/make-folders.ts'
import type { Guard } from '../../upstream/guard.ts'
import type { PageBrowser } from '../render/browser.ts'
import { allButOne, createSlots, type Visitor } from '../../lib/fairness/fair-slots.ts'
import { startEncoder } from './encoder.ts'
import { startFilm } from './film.ts'
import { findFfmpeg, type FfmpegPlaces } from './find-ffmpeg.ts'
import { layoutFor, type AspectRatio, type Layout } from './layout.ts'
import { startVisit, type Visit, type VisitRules } from './open-page.ts'
import { END_SECONDS, playScript, type HeardSound } from './play-script.ts'
import { addSpeech, secondsOfSound, soundFormOf } from './speech.ts'
import type { DemoStep, Scene } from './step.ts'

export type DemoRequest = VisitRules &
  Visitor & {
    readonly script: readonly DemoStep[]
    readonly aspectRatio: AspectRatio
    /** The film is never longer. */
    readonly maxSeconds: number
    /** Spoken lines by the index of their step: pieces of sound as files have them (WAV, MP3, Ogg, FLAC). What cannot be played is left out. */
    readonly speech?: ReadonlyMap<number, Uint8Array> | undefined
    /** What the first picture says; the title of the first page when left out. */
    readonly title?: string | undefined
    /** When a step is given up whose page does not answer; 90 s when left out. */
    readonly stepTimeoutMs?: number | undefined
    /** Asked before each step: why the film should end here, else null. */
    readonly whyStop: () => string | null
    readonly onScene: (done: number) => void
  }

export type Recording = {
  /** An MP4, there until `use` has settled. */
  readonly path: string
  readonly width: number
  readonly height: number
  readonly seconds: number
  readonly scenes: readonly Scene[]
  /** Indices of the steps whose lines are to be heard. */
  readonly spoken: readonly number[]
}

/**
 * Films the script and hands the film to `use`; afterwards its file is gone. Keeps nothing when no step came about: there is
 * nothing to see then, and `scenes` say why. Rejects with AppError upstream_not_configured (no
 * ffmpeg, no browser), overloaded or rate_limited, and with the signal's reason.
 */
export type RecordDemo = <T>(
  request: DemoRequest,
  use: (recording: Recording) => Promise<T>,
) => Promise<{ kept: T } | { scenes: readonly Scene[] }>

export type RecorderSettings = {
  readonly browser: PageBrowser
  readonly guard: Guard
  readonly mayRead: Visit['mayRead']
  readonly ffmpeg: FfmpegPlaces
  /** Where films are made. */
  readonly folder: string
  /** Fewer than the browser has pages, so that readers of pages need not wait for films. */
  readonly filmsAtOnce: number
  readonly now: Clock
}

const MAX_BYTES = 100 * 1024 * 1024
const WAITING_PER_FILM = 20
const LEFTOVER_AGE_MS = 60 * 60 * 1_000

export function createDemoRecorder(settings: RecorderSettings): RecordDemo {
  const { filmsAtOnce } = settings
  const slots = createSlots({
    places: filmsAtOnce,
    perAccount: allButOne(filmsAtOnce),
    waiting: filmsAtOnce * WAITING_PER_FILM,
    what: 'the making of a film',
  })
  return async (request, use) => {
    const program = await findFfmpeg(settings.ffmpeg)
    const giveBack = await slots.take(request)
    const home = join(settings.folder, randomUUID())
    try {
      await removeLeftovers(settings.folder, settings.now())
      await makeFolders(home)
      const filmed = await filmInto(settings, program, home, request)
      return 'path' in filmed ? { kept: await use(filmed) } : filmed
    } finally {
      await rm(home, { recursive: true, force: true })
      giveBack()
    }
  }
}

/** The film as a file in `home`, or what came of the steps when none of them did. */
async function filmInto(
  { browser, guard, mayRead, now }: RecorderSettings,
  program: string,
  home: string,
  request: DemoRequest,
): Promise<Recording | { scenes: readonly Scene[] }> {
  const { signal, maxSeconds } = request
  const layout = layoutFor(request.aspectRatio)
  const silent = join(home, 'silent.mp4')
  const sounds = await keepSounds(program, home, request.speech)
  const encoder = startEncoder({ program, output: silent, maxBytes: MAX_BYTES })
  try {
    const work = (page: Page) =>
      onStage(page, layout, async (stage) => {
        const visit = await startVisit(page, { guard, mayRead, signal, now }, request)
        const film = await startFilm({
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
          ...(await playScript({ visit, film, layout }, request, sounds)),
          seconds: film.seconds(),
        }
      })
    const { scenes, seconds, lines } = await browser.withPage(request, work, layout.viewport)
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

/** The stage has a context of its own: other size, and nothing in common with the filmed page. */
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

async function keepSounds(
  program: string,
  home: string,
  speech: DemoRequest['speech'] = new Map(),
): Promise<ReadonlyMap<number, HeardSound>> {
  const sounds = new Map<number, HeardSound>()
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

/** What processes left that were killed while they filmed. */
async function removeLeftovers(folder: string, nowMs: number): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name)
    const facts = await stat(path).catch(() => null)
    if (facts !== null && nowMs - facts.mtimeMs > LEFTOVER_AGE_MS)
      await rm(path, { recursive: true, force: true })
  }
}
