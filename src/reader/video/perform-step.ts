import type { Locator } from 'playwright-core'
import { evaluateIsolated } from '../render/isolated-world.ts'
import type { FrameRecorder } from './frame-recorder.ts'
import { findTarget } from './find-target.ts'
import type { Layout } from './layout.ts'
import { alongBow, between, eased, scrollMs, travelMs, type Point } from './motion.ts'
import { openPage, settle, type Visit } from './open-page.ts'
import { ONE_WINDOW, SCROLL_STATE, scrollTo } from './page-scripts.ts'
import type { DemoStep, Flaw } from './step.ts'

export type Actor = {
  readonly visit: Visit
  readonly recorder: FrameRecorder
  readonly layout: Layout
}

const CROSSFADE_MS = 280
const PRESS_MS = 160
const ACT_MS = 4_000
const TEXT_APPEARS_MS = 10_000
const CLOSER = 1.16
/** On a narrow page, more zoom would push the words next to the target to the edge. */
const CLOSER_WHEN_NARROW = 1.05
const MOST_STROKES = 36
const FRAMES_PER_STROKE_MS = 80

/** Performs and records a step. Returns null on success; throws only the signal's reason. */
export async function performStep(actor: Actor, step: DemoStep): Promise<Flaw | null> {
  const { visit, recorder } = actor
  if (step.action !== 'open' && !/^https?:/.test(visit.page.url()))
    return { error: 'not_opened', note: 'No page is open.' }
  try {
    switch (step.action) {
      case 'open':
        return await open(actor, step.url ?? '')
      case 'click':
        return await withTarget(actor, step, (target) => click(actor, target))
      case 'hover':
        return await withTarget(actor, step, async (target) => {
          await target.hover({ timeout: ACT_MS })
          await recorder.capture()
          return null
        })
      case 'type':
        return await withTarget(actor, step, (target) => type(actor, target, step.text ?? ''))
      case 'press':
        await visit.page.keyboard.press(step.key ?? '')
        return await lookAtChange(actor)
      case 'scroll':
        return await scroll(actor, step)
      case 'wait':
        return await wait(actor, step)
    }
  } catch (error) {
    if (visit.signal.aborted) throw error
    // The browser's message without the log after its first line.
    return {
      error: 'not_done',
      note: error instanceof Error ? (error.message.split('\n')[0] ?? '').slice(0, 200) : '',
    }
  }
}

async function open(actor: Actor, url: string): Promise<Flaw | null> {
  const flaw = await openPage(actor.visit, url)
  return flaw === null
    ? lookAtChange(actor)
    : { error: flaw, note: `The page could not be opened (${flaw}).` }
}

/** Waits until the page is ready, then shows it. */
async function lookAtChange({ visit, recorder }: Actor): Promise<Flaw | null> {
  await settle(visit)
  if (visit.page.url().startsWith('chrome-error:'))
    return { error: 'not_opened', note: 'The page that the step led to could not be opened.' }
  recorder.zoomTo(1)
  recorder.set({ address: shownAddress(visit.page.url()) })
  await recorder.capture(CROSSFADE_MS)
  return null
}

function shownAddress(url: string): string {
  return url
    .replace(/^https?:\/\/(www\.)?/, '')
    .replace(/\/$/, '')
    .slice(0, 120)
}

/** Moves the target into view, moves the pointer to it and acts on it. */
async function withTarget(
  actor: Actor,
  { action, target = '' }: DemoStep,
  act: (target: Locator) => Promise<Flaw | null>,
): Promise<Flaw | null> {
  const { visit, recorder } = actor
  const found = await findTarget(visit.page, action, target, visit.signal)
  if (found === null) return notFound(target)
  const middle = await bringIntoView(actor, found)
  if (middle === null) return notFound(target)
  recorder.zoomTo(
    action === 'hover' ? 1 : actor.layout.viewport.width < 600 ? CLOSER_WHEN_NARROW : CLOSER,
    middle,
  )
  await movePointer(recorder, middle)
  return act(found)
}

function notFound(words: string): Flaw {
  return { error: 'not_found', note: `"${words.slice(0, 100)}" was not found on the page.` }
}

async function bringIntoView(actor: Actor, target: Locator): Promise<Point | null> {
  const { height, width } = actor.layout.viewport
  const before = await target.boundingBox()
  if (before === null) return null
  if (before.y < 0 || before.y + Math.min(before.height, height * 0.5) > height * 0.97)
    await scrollBy(actor, before.y + Math.min(before.height, height) / 2 - height * 0.45)
  // For elements in scrollable parts of the page.
  await target.scrollIntoViewIfNeeded({ timeout: ACT_MS })
  const box = await target.boundingBox()
  if (box === null) return null
  await actor.recorder.capture()
  return {
    x: clamp(box.x + Math.min(box.width / 2, 160), width),
    y: clamp(box.y + box.height / 2, height),
  }
}

function clamp(value: number, most: number): number {
  return Math.min(most - 4, Math.max(4, value))
}

async function movePointer(recorder: FrameRecorder, to: Point): Promise<void> {
  const from = recorder.pointer()
  const distance = Math.hypot(to.x - from.x, to.y - from.y)
  if (distance < 2) return
  await recorder.animate(travelMs(distance), (part) =>
    recorder.set({ pointer: alongBow(from, to, eased(part)) }),
  )
}

async function pressPointer({ recorder }: Actor): Promise<void> {
  await recorder.animate(PRESS_MS, (part) =>
    recorder.set({
      pressed: Math.sin(Math.PI * part),
      ...(part > 0.4 && part < 0.65 ? { ring: 0 } : {}),
    }),
  )
  recorder.set({ pressed: 0 })
}

async function click(actor: Actor, target: Locator): Promise<Flaw | null> {
  await actor.visit.page.evaluate(ONE_WINDOW)
  await pressPointer(actor)
  await target.click({ timeout: ACT_MS })
  return lookAtChange(actor)
}

async function type(actor: Actor, target: Locator, text: string): Promise<null> {
  const { visit, recorder } = actor
  await pressPointer(actor)
  await target.click({ timeout: ACT_MS })
  await target.fill('', { timeout: ACT_MS })
  const characters = [...text]
  const stroke = Math.max(1, Math.ceil(characters.length / MOST_STROKES))
  for (let place = 0; place < characters.length; place += stroke) {
    await visit.page.keyboard.type(characters.slice(place, place + stroke).join(''))
    await recorder.capture()
    await recorder.hold(FRAMES_PER_STROKE_MS)
  }
  return null
}

type ScrollState = { readonly top: number; readonly most: number; readonly screen: number }

async function scroll(actor: Actor, { target = '' }: DemoStep): Promise<Flaw | null> {
  const { visit, recorder, layout } = actor
  recorder.zoomTo(1)
  const { top, most, screen } = await scrollState(actor)
  if (target === 'top') await scrollBy(actor, -top)
  else if (target === 'bottom') await scrollBy(actor, most - top)
  else if (target === '') await scrollBy(actor, screen * 0.8)
  else {
    const found = await findTarget(visit.page, 'scroll', target, visit.signal)
    const box = (await found?.boundingBox()) ?? null
    if (box === null) return notFound(target)
    await scrollBy(actor, box.y - layout.viewport.height * 0.2)
  }
  return null
}

async function scrollBy(actor: Actor, distance: number): Promise<void> {
  const { visit, recorder } = actor
  const { top, most } = await scrollState(actor)
  const goal = Math.max(0, Math.min(most, top + distance))
  if (Math.abs(goal - top) < 2) return
  await recorder.animate(scrollMs(goal - top), async (part) => {
    await visit.page.evaluate(scrollTo(Math.round(between(top, goal, eased(part)))))
    await recorder.capture()
  })
}

async function scrollState({ visit }: Actor): Promise<ScrollState> {
  const { top, most, screen } = (await evaluateIsolated(visit.page, SCROLL_STATE)) as Record<
    string,
    unknown
  >
  const finite = (value: unknown) =>
    typeof value === 'number' && Number.isFinite(value) ? value : 0
  return { top: finite(top), most: finite(most), screen: finite(screen) }
}

async function wait(actor: Actor, { text }: DemoStep): Promise<Flaw | null> {
  if (text === undefined) return null
  const isThere = await actor.visit.page
    .getByText(text)
    .filter({ visible: true })
    .first()
    .waitFor({ timeout: TEXT_APPEARS_MS })
    .then(
      () => true,
      () => false,
    )
  if (!isThere) return notFound(text)
  return lookAtChange(actor)
}
