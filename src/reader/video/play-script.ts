import { orAborted } from '../render/browser-abort.ts'
import type { DemoRequest } from './record-demo.ts'
import type { Film } from './film.ts'
import { eased, readingMs } from './motion.ts'
import { performStep, type Actor } from './perform-step.ts'
import type { Sound, SpokenLine } from './speech.ts'
import type { DemoStep, Flaw, Scene } from './step.ts'

/** A spoken line that is ready to be heard. */
export type HeardSound = Sound & { readonly seconds: number }
export type HeardLine = SpokenLine & { readonly index: number }
export type Played = { readonly scenes: readonly Scene[]; readonly lines: readonly HeardLine[] }

/** How long the end takes: kept back from the time of the steps. */
export const END_SECONDS = 0.9
const TITLE_MS = 1_500
const FADE_MS = 440
const BREATH_MS = 700
const LINE_GAP_MS = 250
const SHORTEST_PACE = 0.6
/** Steps have bounds of their own; this one is for pages that answer nothing any more. */
const STEP_TIMEOUT_MS = 90_000
const STUCK: Flaw = { error: 'stuck', note: 'The page does not answer any more.' }

/** Plays the script before the film: title, steps, end. Says what became of each step, and when its line is spoken. */
export async function playScript(
  actor: Actor,
  request: DemoRequest,
  sounds: ReadonlyMap<number, HeardSound>,
): Promise<Played> {
  const { film, visit } = actor
  const { script, maxSeconds, whyStop, onScene } = request
  const pace = paceOf(script, maxSeconds)
  const scenes: Scene[] = []
  const lines: HeardLine[] = []
  let isStuck = false
  for (const [index, step] of script.entries()) {
    const why = whyStop() ?? (film.isFull() ? 'out of time' : null)
    const startSeconds = film.seconds()
    const caption = step.say ?? null
    const isFirst = !scenes.some(({ ok }) => ok)
    if (why === null && !isFirst) film.set({ caption: caption ?? '' })
    const flaw =
      why !== null
        ? { error: why }
        : isStuck
          ? STUCK
          : isFirst
            ? await openFilm(actor, step, request)
            : await performInTime(actor, step, request)
    if (flaw === STUCK) isStuck = true
    // The first caption comes when the title has gone.
    const spokenFrom = isFirst ? film.seconds() : startSeconds
    const sound = sounds.get(index)
    if (flaw === null && sound !== undefined)
      lines.push({ ...sound, index, startSeconds: spokenFrom })
    if (flaw === null)
      await rest(film, { ...step, spokenMs: (sound?.seconds ?? 0) * 1_000 }, spokenFrom, pace)
    else if (!isFirst) film.set({ caption: '' })
    const url = /^https?:/.test(visit.page.url()) ? visit.page.url() : null
    scenes.push({
      index,
      action: step.action,
      url,
      caption,
      start_seconds: rounded(startSeconds),
      end_seconds: rounded(film.seconds()),
      ok: flaw === null,
      ...flaw,
    })
    onScene(scenes.length)
  }
  if (!scenes.some(({ ok }) => ok)) return { scenes, lines }
  film.openEnd()
  await film.animate(END_SECONDS * 1_000 - 80, (part) =>
    film.set({ window: 1 - eased(part), caption: '' }),
  )
  return { scenes, lines }
}

/** The first step that comes about happens before the film begins: it is what the title opens on. */
async function openFilm(actor: Actor, step: DemoStep, request: DemoRequest): Promise<Flaw | null> {
  const { film, visit } = actor
  const { title, maxSeconds } = request
  const muted: Film = {
    ...film,
    animate: async (_ms, each) => each(1),
    hold: async () => undefined,
    look: () => film.look(),
  }
  const flaw = await performInTime({ ...actor, film: muted }, step, request)
  if (flaw !== null) return flaw
  const shown = title ?? cardTitle(await visit.page.title())
  const host = URL.parse(visit.page.url())?.host ?? ''
  const card = { title: shown === '' ? host : shown, subtitle: shown === '' ? '' : host }
  // In a film of a few seconds the title must not take most of it.
  const scale = Math.min(1, maxSeconds / 10)
  await film.animate(FADE_MS * scale, (part) =>
    film.set({ card: { ...card, opacity: eased(part) }, pointerOpacity: 0 }),
  )
  await film.animate(TITLE_MS * scale, () => undefined)
  await film.animate(FADE_MS * scale, (part) =>
    film.set({ card: { ...card, opacity: 1 - eased(part) } }),
  )
  film.set({ caption: step.say ?? '' })
  await film.animate(FADE_MS, (part) =>
    film.set({ window: eased(part), pointerOpacity: eased(part) }),
  )
  return null
}

/** A step that does not end is left alone: whatever it still does, the film does not show it. */
async function performInTime(
  actor: Actor,
  step: DemoStep,
  { stepTimeoutMs = STEP_TIMEOUT_MS }: DemoRequest,
): Promise<Flaw | null> {
  const over = AbortSignal.timeout(stepTimeoutMs)
  const heeding =
    <T extends unknown[]>(show: (...values: T) => Promise<void>) =>
    (...values: T): Promise<void> => {
      over.throwIfAborted()
      return show(...values)
    }
  const film: Film = {
    ...actor.film,
    animate: heeding(actor.film.animate),
    hold: heeding(actor.film.hold),
    look: heeding(actor.film.look),
  }
  const visit = { ...actor.visit, signal: AbortSignal.any([actor.visit.signal, over]) }
  return orAborted(performStep({ ...actor, visit, film }, step), over).catch((error: unknown) => {
    if (actor.visit.signal.aborted || !over.aborted) throw error
    return STUCK
  })
}

/** Titles of pages go on about the site after a dash or a bar. */
function cardTitle(title: string): string {
  const whole = title.replaceAll(/\s+/g, ' ').trim()
  return whole.length <= 60 ? whole : (whole.split(/ [|–—·»:-] |: /)[0] ?? whole).slice(0, 90)
}

/** Lets what was done sink in: as long as the caption takes to read, counted from when it appeared. */
async function rest(
  film: Film,
  { say = '', seconds, spokenMs }: DemoStep & { readonly spokenMs: number },
  spokenFrom: number,
  pace: number,
): Promise<void> {
  const goneMs = (film.seconds() - spokenFrom) * 1_000
  const wantedMs =
    seconds !== undefined ? seconds * 1_000 : Math.max(BREATH_MS, readingMs(say) * pace - goneMs)
  // A line is never cut off by the next one.
  await film.hold(Math.max(wantedMs, spokenMs === 0 ? 0 : spokenMs + LINE_GAP_MS - goneMs))
}

/** Below 1 when the captions take longer to read than the film may last. */
function paceOf(script: readonly DemoStep[], maxSeconds: number): number {
  const neededMs = script.reduce(
    (sum, { say = '', seconds }) => sum + (seconds ?? 0) * 1_000 + readingMs(say) + BREATH_MS,
    0,
  )
  return Math.min(
    1,
    Math.max(SHORTEST_PACE, (maxSeconds * 1_000 - TITLE_MS - FADE_MS * 3) / neededMs),
  )
}

function rounded(seconds: number): number {
  return Math.round(seconds * 100) / 100
}
