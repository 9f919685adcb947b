/** Plans a demo from the contents of pages. Deterministic: the same input gives the same script. */
import { readingMs } from '../../reader/video/motion.ts'
import type { DemoStep } from '../../reader/video/step.ts'
import type { PageFacts } from '../../reader/video/survey-pages.ts'
import { isSamePage } from './choose-pages.ts'
import { MOST_STEPS } from './demo-input.ts'
import { isHarmlessName } from './harmless-links.ts'
import { countMatches } from './match-words.ts'

export type PlanRequest = {
  readonly maxSeconds: number
  /** The caller's brief or goal. */
  readonly words: string
}

/** A part of a page to show. `topPx` is null for the top of the page after opening it. */
type Sight = {
  readonly page: number
  readonly topPx: number | null
  readonly score: number
  readonly costMs: number
  readonly step: DemoStep
}

const TITLE_MS = 3_600
/** The time of a step in addition to reading its caption. */
const STEP_MS = 900
const MOST_CAPTION = 115
const APART_PX = 260
/** Ranks a further page above a part of a page, and below a part that matches the request. */
const PAGE_SCORE = 8
const MATCH_SCORE = 10

/** Plans one chapter for each page: its introduction, then the best matching parts from top to bottom. */
export function planDemo(
  pages: readonly PageFacts[],
  { maxSeconds, words }: PlanRequest,
): DemoStep[] {
  const chapters = pages.map((page, place) => ({
    opening: openingSight(page, place, words),
    sections: sectionsOf(page, place, words),
  }))
  const [first] = chapters
  if (first === undefined) return []
  const chosen = new Set([first.opening])
  let leftMs = maxSeconds * 1_000 - TITLE_MS - first.opening.costMs
  for (const sight of chapters
    .flatMap(({ opening, sections }) => [opening, ...sections])
    .toSorted((one, other) => other.score - one.score)) {
    const opening = chapters[sight.page]?.opening
    // Showing a part requires opening its page first.
    const added = [...new Set(opening === undefined ? [sight] : [opening, sight])].filter(
      (one) => !chosen.has(one),
    )
    const costMs = added.reduce((sum, one) => sum + one.costMs, 0)
    if (costMs > leftMs || chosen.size + added.length > MOST_STEPS || isShown(sight, chosen))
      continue
    leftMs -= costMs
    for (const one of added) chosen.add(one)
  }
  return stepsOf(pages, [...chosen])
}

/** Whether a chosen sight shows the same screen. */
function isShown(sight: Sight, chosen: ReadonlySet<Sight>): boolean {
  return [...chosen].some(
    ({ page, topPx }) =>
      page === sight.page &&
      topPx !== null &&
      sight.topPx !== null &&
      Math.abs(topPx - sight.topPx) < APART_PX,
  )
}

function stepsOf(pages: readonly PageFacts[], chosen: readonly Sight[]): DemoStep[] {
  const sights = chosen.toSorted(
    (one, other) => one.page - other.page || (one.topPx ?? -1) - (other.topPx ?? -1),
  )
  return sights.map(({ page, topPx, step }, index) => {
    const before = sights[index - 1]
    return topPx === null && before !== undefined
      ? leadTo(pages[page], pages[before.page], step)
      : step
  })
}

function costOf({ say = '' }: DemoStep): number {
  return STEP_MS + readingMs(say)
}

function openingSight(page: PageFacts, place: number, words: string): Sight {
  const step: DemoStep = { action: 'open', url: page.url, say: introductionOf(page, place) }
  const fit = countMatches(words, `${page.title} ${page.description}`) * MATCH_SCORE
  return { page: place, topPx: null, score: PAGE_SCORE - place + fit, costMs: costOf(step), step }
}

/** Clicks a link of the previous page to the next one, if there is one. */
function leadTo(
  page: PageFacts | undefined,
  before: PageFacts | undefined,
  step: DemoStep,
): DemoStep {
  const links =
    before?.links.filter(
      ({ href, text }) =>
        page !== undefined &&
        isSamePage(href, page.url) &&
        text.length <= 60 &&
        isHarmlessName(text),
    ) ?? []
  const link = links.find(({ isNavigation }) => isNavigation) ?? links[0]
  return link === undefined
    ? step
    : { action: 'click', target: link.text, ...(step.say === undefined ? {} : { say: step.say }) }
}

function introductionOf(
  { title, siteName, description, headings }: PageFacts,
  place: number,
): string {
  const heading = headings.find(({ level }) => level === 1) ?? headings[0]
  if (place > 0 && heading !== undefined)
    return captionOf(heading.text, heading.following === '' ? description : heading.following)
  return captionOf(
    siteName === '' ? title : siteName,
    description === '' ? (heading?.text ?? '') : description,
  )
}

function sectionsOf(page: PageFacts, place: number, words: string): Sight[] {
  const seen = new Set<string>()
  const sections: Sight[] = []
  const add = (topPx: number, score: number, step: DemoStep) =>
    sections.push({ page: place, topPx, score: score - place, costMs: costOf(step), step })
  page.headings.forEach(({ level, text, topPx, following }, index) => {
    const key = text.toLowerCase()
    // The introduction already shows the top of the page.
    if (seen.has(key) || text.length < 3 || text.length > 90 || topPx < APART_PX * 1.5) return
    seen.add(key)
    const score =
      countMatches(words, `${text} ${following}`) * MATCH_SCORE +
      (level === 2 ? 3 : 1) +
      (following === '' ? 0 : 2) -
      index * 0.05
    add(topPx, score, { action: 'scroll', target: text, say: captionOf(text, following) })
  })
  // Tabs are clicked at the end of their page.
  page.tabs
    .filter((text) => text.length >= 3 && text.length <= 60 && isHarmlessName(text))
    .slice(0, 2)
    .forEach((text, index) => {
      add(
        page.heightPx + (index + 1) * APART_PX,
        countMatches(words, text) * MATCH_SCORE + 1.5 - index,
        { action: 'click', target: text, say: captionOf(text, '') },
      )
    })
  return sections
}

/** "Heading: first sentence", short enough to read during the step. */
function captionOf(head: string, more: string): string {
  const lead = shorten(head, MOST_CAPTION)
  const sentence = firstSentence(more)
  const isNew = sentence !== '' && !sentence.toLowerCase().startsWith(lead.toLowerCase())
  if (!isNew) return sentence === '' ? lead : shorten(sentence, MOST_CAPTION)
  const available = MOST_CAPTION - lead.length - 2
  return available < 25 ? lead : `${lead.replace(/[.:;,]$/, '')}: ${shorten(sentence, available)}`
}

function firstSentence(text: string): string {
  return (/^.{20,}?[.!?。！？](?=\s|$)/su.exec(text)?.[0] ?? text).trim()
}

/** Cuts at a word. */
function shorten(text: string, most: number): string {
  const whole = text
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(/[\s:;,–-]+$/u, '')
  if (whole.length <= most) return whole
  const cut = whole.slice(0, most - 1)
  return `${(cut.includes(' ') ? cut.slice(0, cut.lastIndexOf(' ')) : cut).replace(/[\s.,;:–-]+$/u, '')}…`
}
