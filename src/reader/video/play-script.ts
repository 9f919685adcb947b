import { orAborted } from '../render/or-aborted.ts'
import type { DemoRequest } from './demo-request.ts'
import type { FrameRecorder } from './frame-recorder.ts'
import { eased, readingMs } from './motion.ts'
import { performStep, type Actor } from './perform-step.ts'
import type { Sound, SpokenLine } from './speech.ts'
import type { DemoStep, Flaw, Scene } from './step.ts'

/** A spoken line that can be played, with its length. */
export type PlayableSound = Sound & { readonly seconds: number }
export type TimedLine = SpokenLine & { readonly index: number }
export type Played = { readonly scenes: readonly Scene[]; readonly lines: readonly TimedLine[] }

/** The length of the end, which is reserved from the time of the steps. */
export const END_SECONDS = 0.9
const TITLE_MS = 1_500
const FADE_MS = 440
const BREATH_MS = 700
const LINE_GAP_MS = 250
const SHORTEST_PACE = 0.6
/** Steps have their own limits. This one is for pages that stop responding. */
const STEP_TIMEOUT_MS = 90_000
const STUCK: Flaw = { error: 'stuck', note: 'The page stopped responding.' }

/**
 * Records the script: title, steps, end. Returns the outcome of each step, and when its line is
 * spoken.
 */
export async function playScript(
  actor: Actor,
  request: DemoRequest,
  sounds: ReadonlyMap<number, PlayableSound>,
): Promise<Played> {
  const { recorder, visit } = actor
  const { script, maxSeconds, whyStop, onScene } = request
  const pace = paceOf(script, maxSeconds)
  const scenes: Scene[] = []
  const lines: TimedLine[] = []
  let isStuck = false
  for (const [index, step] of script.entries()) {
    const why = whyStop() ?? (recorder.isFull() ? 'out of time' : null)
    const startSeconds = recorder.seconds()
    const caption = step.say ?? null
    const isFirst = !scenes.some(({ ok }) => ok)
    if (why === null && !isFirst) recorder.set({ caption: caption ?? '' })
    const flaw =
      why !== null
        ? { error: why }
        : isStuck
          ? STUCK
          : isFirst
            ? await recordOpening(actor, step, request)
            : await performInTime(actor, step, request)
    if (flaw === STUCK) isStuck = true
    // The first caption appears after the title.
    const spokenFrom = isFirst ? recorder.seconds() : startSeconds
    const sound = sounds.get(index)
    if (flaw === null && sound !== undefined)
      lines.push({ ...sound, index, startSeconds: spokenFrom })
    if (flaw === null)
      await rest(recorder, { ...step, spokenMs: (sound?.seconds ?? 0) * 1_000 }, spokenFrom, pace)
    else if (!isFirst) recorder.set({ caption: '' })
    const url = /^https?:/.test(visit.page.url()) ? visit.page.url() : null
    scenes.push({
      index,
      action: step.action,
      url,
      caption,
      start_seconds: rounded(startSeconds),
      end_seconds: rounded(recorder.seconds()),
      ok: flaw === null,
      ...flaw,
    })
    onScene(scenes.length)
  }
  if (!scenes.some(({ ok }) => ok)) return { scenes, lines }
  recorder.openEndReserve()
  await recorder.animate(END_SECONDS * 1_000 - 80, (part) =>
    recorder.set({ window: 1 - eased(part), caption: '' }),
  )
  return { scenes, lines }
}

/**
 * Performs a step before recording starts, to find the page for the title card; then records title
 * and first caption.
 */
async function recordOpening(
  actor: Actor,
  step: DemoStep,
  request: DemoRequest,
): Promise<Flaw | null> {
  const { recorder, visit } = actor
  const { title, maxSeconds } = request
  const unrecorded: FrameRecorder = {
    ...recorder,
    animate: async (_ms, each) => each(1),
    hold: async () => undefined,
    capture: () => recorder.capture(),
  }
  const flaw = await performInTime({ ...actor, recorder: unrecorded }, step, request)
  if (flaw !== null) return flaw
  const shown = title ?? cardTitle(await visit.page.title())
  const host = URL.parse(visit.page.url())?.host ?? ''
  const card = { title: shown === '' ? host : shown, subtitle: shown === '' ? '' : host }
  // In a video of a few seconds, the title must not take most of the time.
  const scale = Math.min(1, maxSeconds / 10)
  await recorder.animate(FADE_MS * scale, (part) =>
    recorder.set({ card: { ...card, opacity: eased(part) }, pointerOpacity: 0 }),
  )
  await recorder.animate(TITLE_MS * scale, () => undefined)
  await recorder.animate(FADE_MS * scale, (part) =>
    recorder.set({ card: { ...card, opacity: 1 - eased(part) } }),
  )
  recorder.set({ caption: step.say ?? '' })
  await recorder.animate(FADE_MS, (part) =>
    recorder.set({ window: eased(part), pointerOpacity: eased(part) }),
  )
  return null
}

/** Stops recording a step at its time limit. Later effects of the step are not shown. */
async function performInTime(
  actor: Actor,
  step: DemoStep,
  { stepTimeoutMs = STEP_TIMEOUT_MS }: DemoRequest,
): Promise<Flaw | null> {
  const over = AbortSignal.timeout(stepTimeoutMs)
  const untilOver =
    <T extends unknown[]>(show: (...values: T) => Promise<void>) =>
    (...values: T): Promise<void> => {
      over.throwIfAborted()
      return show(...values)
    }
  const recorder: FrameRecorder = {
    ...actor.recorder,
    animate: untilOver(actor.recorder.animate),
    hold: untilOver(actor.recorder.hold),
    capture: untilOver(actor.recorder.capture),
  }
  const visit = { ...actor.visit, signal: AbortSignal.any([actor.visit.signal, over]) }
  return orAborted(performStep({ ...actor, visit, recorder }, step), over).catch(
    (error: unknown) => {
      if (actor.visit.signal.aborted || !over.aborted) throw error
      return STUCK
    },
  )
}

/** Page titles often append the site's name after a dash or a bar. */
function cardTitle(title: string): string {
  const whole = title.replaceAll(/\s+/g, ' ').trim()
  return whole.length <= 60 ? whole : (whole.split(/ [|–—·»:-] |: /)[0] ?? whole).slice(0, 90)
}

/**
 * Shows the result of a step as long as it takes to read the caption, counted from when it
 * appeared.
 */
async function rest(
  recorder: FrameRecorder,
  { say = '', seconds, spokenMs }: DemoStep & { readonly spokenMs: number },
  spokenFrom: number,
  pace: number,
): Promise<void> {
  const elapsedMs = (recorder.seconds() - spokenFrom) * 1_000
  const holdMs =
    seconds !== undefined ? seconds * 1_000 : Math.max(BREATH_MS, readingMs(say) * pace - elapsedMs)
  // The next line never interrupts a spoken line.
  await recorder.hold(Math.max(holdMs, spokenMs === 0 ? 0 : spokenMs + LINE_GAP_MS - elapsedMs))
}

/** Below 1 if reading all captions takes longer than the video may last. */
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
