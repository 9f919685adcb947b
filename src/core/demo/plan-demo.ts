/** Plans a demo from what is to be seen on pages. Pure: the same pages and wishes make the same script. */
import { readingMs } from '../../pages/demo/motion.ts'
import type { DemoStep } from '../../pages/demo/step.ts'
import type { PageFacts } from '../../pages/demo/survey-pages.ts'
import { isSamePage } from './choose-pages.ts'
import { isHarmlessName } from './harmless.ts'
import { matchesOf } from './match-words.ts'

export type PlanWish = {
  readonly maxSeconds: number
  /** What the caller wants to be shown, in plain words. */
  readonly words: string
}

type Section = { readonly page: number; readonly topPx: number; readonly score: number; readonly step: DemoStep }

const TITLE_MS = 3_600
/** What a step takes beside the reading of its caption. */
const STEP_MS = 900
const MOST_CAPTION = 115
const APART_PX = 260
const MOST_STEPS = 40

/** One chapter a page: what it is, then what fits the wish best, in the order in which it stands on the page. */
export function planDemo(pages: readonly PageFacts[], { maxSeconds, words }: PlanWish): DemoStep[] {
  let leftMs = maxSeconds * 1_000 - TITLE_MS
  const openings: DemoStep[] = []
  for (const [place, page] of pages.entries()) {
    const step = openingOf(page, pages[place - 1])
    const costMs = durationMs(step)
    if (place > 0 && costMs > leftMs) break
    leftMs -= costMs
    openings.push(step)
  }
  const sections = openings.flatMap((_opening, place) => sectionsOf(pages[place], place, words))
  const chosen: Section[] = []
  // The best first, then the next best that does not show the same screen again.
  for (const section of sections.toSorted((one, other) => other.score - one.score)) {
    const costMs = durationMs(section.step)
    const isShown = chosen.some(({ page, topPx }) => page === section.page && Math.abs(topPx - section.topPx) < APART_PX)
    if (isShown || costMs > leftMs || openings.length + chosen.length >= MOST_STEPS) continue
    leftMs -= costMs
    chosen.push(section)
  }
  return openings.flatMap((opening, place) => [opening, ...chosen.filter(({ page }) => page === place).toSorted((one, other) => one.topPx - other.topPx).map(({ step }) => step)])
}

function durationMs({ say = '' }: DemoStep): number {
  return STEP_MS + readingMs(say)
}

/** The page before leads there by a link, or it is opened by its address. */
function openingOf(page: PageFacts, before: PageFacts | undefined): DemoStep {
  const links = before?.links.filter(({ href, text }) => isSamePage(href, page.url) && text.length <= 60 && isHarmlessName(text)) ?? []
  const link = links.find(({ isNavigation }) => isNavigation) ?? links[0]
  const say = introductionOf(page, link?.text)
  return link === undefined ? { action: 'open', url: page.url, say } : { action: 'click', target: link.text, say }
}

function introductionOf({ title, siteName, description, headings }: PageFacts, linkText: string | undefined): string {
  const heading = headings.find(({ level }) => level === 1) ?? headings[0]
  if (linkText !== undefined) return captionOf(linkText, heading === undefined || isSameText(heading.text, linkText) ? (heading?.following ?? '') : heading.text)
  const name = siteName === '' ? title : siteName
  return captionOf(name, description === '' ? (heading?.text ?? '') : description)
}

function sectionsOf(page: PageFacts | undefined, place: number, words: string): Section[] {
  if (page === undefined) return []
  const seen = new Set<string>()
  const sections: Section[] = []
  page.headings.forEach(({ level, text, topPx, following }, index) => {
    const key = text.toLowerCase()
    // What stands at the top is to be seen when the page opens.
    if (seen.has(key) || text.length < 3 || text.length > 90 || topPx < APART_PX * 1.5) return
    seen.add(key)
    const score = matchesOf(words, `${text} ${following}`) * 10 + (level === 2 ? 3 : 1) + (following === '' ? 0 : 2) - place - index * 0.05
    sections.push({ page: place, topPx, score, step: { action: 'scroll', target: text, say: captionOf(text, following) } })
  })
  // A part that opens with a click comes last on its page.
  page.tabs.filter((text) => text.length >= 3 && text.length <= 60 && isHarmlessName(text)).slice(0, 2).forEach((text, index) => {
    sections.push({ page: place, topPx: page.heightPx + (index + 1) * APART_PX, score: matchesOf(words, text) * 10 + 1.5 - place - index, step: { action: 'click', target: text, say: captionOf(text, '') } })
  })
  return sections
}

function isSameText(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase()
}

/** "What it is: and a sentence about it", as long as it can be read in passing. */
function captionOf(head: string, more: string): string {
  const lead = shortened(head, MOST_CAPTION)
  const sentence = firstSentence(more)
  const isNew = sentence !== '' && !sentence.toLowerCase().startsWith(lead.toLowerCase())
  if (!isNew) return sentence === '' ? lead : shortened(sentence, MOST_CAPTION)
  const room = MOST_CAPTION - lead.length - 2
  return room < 25 ? lead : `${lead.replace(/[.:;,]$/, '')}: ${shortened(sentence, room)}`
}

function firstSentence(text: string): string {
  return (/^.{20,}?[.!?。！？](?=\s|$)/su.exec(text)?.[0] ?? text).trim()
}

/** Cut at a word. */
function shortened(text: string, most: number): string {
  const whole = text.replaceAll(/\s+/g, ' ').trim()
  if (whole.length <= most) return whole
  const cut = whole.slice(0, most - 1)
  return `${(cut.includes(' ') ? cut.slice(0, cut.lastIndexOf(' ')) : cut).replace(/[\s.,;:–-]+$/u, '')}…`
}
