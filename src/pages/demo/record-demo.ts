import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { invariant } from '../../errors/app-error.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Guard } from '../../upstream/guard.ts'
import type { PageBrowser } from '../browser.ts'
import { startEncoder } from './encoder.ts'
import { startFilm, type Film } from './film.ts'
import { findFfmpeg, type FfmpegPlaces } from './find-ffmpeg.ts'
import { layoutFor, type AspectRatio, type Layout } from './layout.ts'
import { eased, readingMs } from './motion.ts'
import { startVisit, type Visit, type VisitRules } from './open-page.ts'
import { performStep, type Actor } from './perform-step.ts'
import type { DemoStep, Flaw, Scene } from './step.ts'

export type DemoRequest = VisitRules & {
  readonly script: readonly DemoStep[]
  readonly aspectRatio: AspectRatio
  /** The film is never longer. */
  readonly maxSeconds: number
  /** What the first picture says; the title of the first page when left out. */
  readonly title?: string | undefined
  readonly signal: AbortSignal
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
}

/**
 * Films the script and hands the film to `use`; afterwards its file is gone. Keeps nothing when no step came about: there is
 * nothing to see then, and `scenes` say why. Rejects with AppError upstream_not_configured (no
 * ffmpeg, no browser) or overloaded, and with the signal's reason.
 */
export type RecordDemo = <T>(request: DemoRequest, use: (recording: Recording) => Promise<T>) => Promise<{ kept: T } | { scenes: readonly Scene[] }>

export type RecorderSettings = {
  readonly browser: PageBrowser
  readonly guard: Guard
  readonly mayRead: Visit['mayRead']
  readonly ffmpeg: FfmpegPlaces
  /** Where films are made. */
  readonly folder: string
  readonly now: Clock
}

const MAX_BYTES = 100 * 1024 * 1024
const TITLE_MS = 1_500
const FADE_MS = 440
const END_SECONDS = 0.9
const BREATH_MS = 700
const SHORTEST_PACE = 0.6
const LEFTOVER_AGE_MS = 60 * 60 * 1_000

export function createDemoRecorder({ browser, guard, mayRead, ffmpeg, folder, now }: RecorderSettings): RecordDemo {
  return async (request, use) => {
    const program = await findFfmpeg(ffmpeg)
    await removeLeftovers(folder, now())
    const home = join(folder, randomUUID())
    await mkdir(home, { recursive: true, mode: 0o700 })
    const path = join(home, 'demo.mp4')
    const layout = layoutFor(request.aspectRatio)
    const encoder = startEncoder({ program, output: path, maxBytes: MAX_BYTES })
    try {
      const { signal, maxSeconds } = request
      const shot = await browser.withPage(signal, async (page) => onStage(page, layout, async (stage) => {
        const visit = await startVisit(page, { guard, mayRead, signal, now }, request)
        const film = await startFilm({ stage, page, layout, encoder, maxSeconds, endSeconds: END_SECONDS, signal, now })
        return { scenes: await playScript({ visit, film, layout }, request), seconds: film.seconds() }
      }), layout.viewport)
      if (!shot.scenes.some(({ ok }) => ok)) return { scenes: shot.scenes }
      await encoder.finish()
      return { kept: await use({ path, width: layout.width, height: layout.height, ...shot }) }
    } finally {
      encoder.stop()
      await rm(home, { recursive: true, force: true })
    }
  }
}

/** The stage has a context of its own: other size, and nothing in common with the filmed page. */
async function onStage<T>(page: Page, { width, height }: Layout, work: (stage: Page) => Promise<T>): Promise<T> {
  const browser = page.context().browser()
  invariant(browser !== null, 'a page of the shared browser has a browser')
  const context = await browser.newContext({ viewport: { width, height }, deviceScaleFactor: 1, offline: true })
  try {
    return await work(await context.newPage())
  } finally {
    await context.close().catch(() => undefined)
  }
}

async function playScript(actor: Actor, request: DemoRequest): Promise<Scene[]> {
  const { film, visit } = actor
  const { script, maxSeconds, whyStop, onScene } = request
  const pace = paceOf(script, maxSeconds)
  const scenes: Scene[] = []
  for (const [index, step] of script.entries()) {
    const why = whyStop() ?? (film.isFull() ? 'out of time' : null)
    const startSeconds = film.seconds()
    const caption = step.say ?? null
    const isFirst = !scenes.some(({ ok }) => ok)
    if (why === null && !isFirst) film.set({ caption: caption ?? '' })
    const flaw = why !== null ? { error: why } : isFirst ? await openFilm(actor, step, request) : await performStep(actor, step)
    if (flaw === null) await rest(film, step, startSeconds, pace)
    else if (!isFirst) film.set({ caption: '' })
    const url = /^https?:/.test(visit.page.url()) ? visit.page.url() : null
    scenes.push({ index, action: step.action, url, caption, start_seconds: rounded(startSeconds), end_seconds: rounded(film.seconds()), ok: flaw === null, ...flaw })
    onScene(scenes.length)
  }
  if (!scenes.some(({ ok }) => ok)) return scenes
  film.openEnd()
  await film.animate(END_SECONDS * 1_000 - 80, (part) => film.set({ window: 1 - eased(part), caption: '' }))
  return scenes
}

/** The first step that comes about happens before the film begins: it is what the title opens on. */
async function openFilm(actor: Actor, step: DemoStep, { title, maxSeconds }: DemoRequest): Promise<Flaw | null> {
  const { film, visit } = actor
  const muted: Film = { ...film, animate: async (_ms, each) => each(1), hold: async () => undefined, look: () => film.look() }
  const flaw = await performStep({ ...actor, film: muted }, step)
  if (flaw !== null) return flaw
  const shown = title ?? cardTitle(await visit.page.title())
  const host = URL.parse(visit.page.url())?.host ?? ''
  const card = { title: shown === '' ? host : shown, subtitle: shown === '' ? '' : host }
  // In a film of a few seconds the title must not take most of it.
  const scale = Math.min(1, maxSeconds / 10)
  await film.animate(FADE_MS * scale, (part) => film.set({ card: { ...card, opacity: eased(part) }, pointerOpacity: 0 }))
  await film.animate(TITLE_MS * scale, () => undefined)
  await film.animate(FADE_MS * scale, (part) => film.set({ card: { ...card, opacity: 1 - eased(part) } }))
  film.set({ caption: step.say ?? '' })
  await film.animate(FADE_MS, (part) => film.set({ window: eased(part), pointerOpacity: eased(part) }))
  return null
}

/** Titles of pages go on about the site after a dash or a bar. */
function cardTitle(title: string): string {
  const whole = title.replaceAll(/\s+/g, ' ').trim()
  return whole.length <= 60 ? whole : (whole.split(/ [|–—·»:-] |: /)[0] ?? whole).slice(0, 90)
}

/** Lets what was done sink in: as long as the caption takes to read, counted from when it appeared. */
async function rest(film: Film, { say = '', seconds, action }: DemoStep, startSeconds: number, pace: number): Promise<void> {
  const goneMs = (film.seconds() - startSeconds) * 1_000
  const wantedMs = seconds !== undefined ? seconds * 1_000 : Math.max(BREATH_MS, readingMs(say) * pace - (action === 'open' ? 0 : goneMs))
  await film.hold(wantedMs)
}

/** Below 1 when the captions take longer to read than the film may last. */
function paceOf(script: readonly DemoStep[], maxSeconds: number): number {
  const neededMs = script.reduce((sum, { say = '', seconds }) => sum + (seconds ?? 0) * 1_000 + readingMs(say) + BREATH_MS, 0)
  return Math.min(1, Math.max(SHORTEST_PACE, (maxSeconds * 1_000 - TITLE_MS - FADE_MS * 3) / neededMs))
}

function rounded(seconds: number): number {
  return Math.round(seconds * 100) / 100
}

/** What processes left that were killed while they filmed. */
async function removeLeftovers(folder: string, nowMs: number): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name)
    const facts = await stat(path).catch(() => null)
    if (facts !== null && nowMs - facts.mtimeMs > LEFTOVER_AGE_MS) await rm(path, { recursive: true, force: true })
  }
}
