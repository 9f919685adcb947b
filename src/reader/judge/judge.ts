import { hasAccountField, hasPasswordField, hasChallenge } from './challenge-markup.ts'
import { isEmptyApplication } from './empty-application.ts'
import {
  BOT_SIGNS,
  CONSENT_SIGNS,
  ERROR_SIGNS,
  ERROR_TITLES,
  GEO_SIGNS,
  LOGIN_SIGNS,
  PARKED_SIGNS,
  SCRIPT_SIGNS,
  WALL_TITLES,
} from './judge-phrases.ts'
import * as world from './judge-phrases-world.ts'
import { findRefusals, hasFirewallDetails, namesRefusal } from './refusal.ts'
import { OWN_WORDS, readFacts, type JudgedPage, type PageFacts } from './page-facts.ts'

export type QualityFlag = 'blocked' | 'thin_content'
export type Verdict = {
  /**
   * Estimated word F1 of the content against the page's main content, 0 to 1. At most 0.25 for a
   * flagged page.
   */
  yield: number
  flags: QualityFlag[]
  reason?: JudgeReason
}
export type { JudgedPage } from './page-facts.ts'
export type JudgeReason =
  | 'http_status'
  | 'bot_wall'
  | 'login_wall'
  | 'consent_wall'
  | 'geo_wall'
  | 'error_page'
  | 'needs_javascript'
  | 'empty_shell'
/**
 * Most words of a wall, by the number of signs. Longer pages with the same signs are pages about
 * walls.
 */
const WALL_WORDS = { oneSign: 90, twoSigns: 280, threeSigns: 450 }
/** Most words of a challenge page. A page with more text has let the visitor through. */
const CHALLENGE_WORDS = 40
/** The teaser of a paid article is longer than a wall. */
const PAYWALL_WORDS = 150
const SUBJECT_WORDS = 25
/** A refusal is a few sentences. A longer text or a menu belongs to a page. */
const NOTICE_WORDS = 60
/** Refusals with explanations, addresses and names of the request are longer. */
const LONG_NOTICE = { words: 200, refusals: 3 }
const NOTICE_LINKS = 8
/** Longer content is not a menu, so the page is not parsed again to check. */
const MENU_WORDS = 250
const UNLINKED_WORDS = 50
/** A page with so many links belongs to a site, so its title may be about walls. */
const SITE_LINKS = 15
const MOST_FLAGGED_YIELD = 0.25
/** Content of another service is seldom exactly the main content. */
const MOST_FOREIGN_YIELD = 0.9
const HALF_YIELD_WORDS = 30
const BLOCKING_STATUS: ReadonlySet<number> = new Set([401, 403, 407, 429, 451, 503])

/** Distinguishes a page from a wall or an empty shell by its text and markup. Never throws. */
export function judgePage(page: JudgedPage): Verdict {
  const facts = readFacts(page)
  if (page.status >= 400)
    return flagged(BLOCKING_STATUS.has(page.status) ? 'blocked' : 'thin_content', 'http_status', 0)
  const wall = wallKind(facts, page.finalUrl)
  if (wall !== undefined) return flagged('blocked', wall, 0)
  const shell = shellKind(facts, page.html !== undefined)
  if (shell !== undefined)
    return flagged(
      'thin_content',
      shell,
      Math.min(MOST_FLAGGED_YIELD, page.contentYield ?? facts.contentWords / 400),
    )
  return { yield: page.contentYield ?? estimateYield(facts.contentWords), flags: [] }
}

/** The yield of content that another service extracted: short content is often not all of the page. */
function estimateYield(words: number): number {
  return Number(((MOST_FOREIGN_YIELD * words) / (words + HALF_YIELD_WORDS)).toFixed(2))
}

function wallKind(facts: PageFacts, finalUrl: string): JudgeReason | undefined {
  const { words, contentWords, source } = facts
  if (words > WALL_WORDS.threeSigns) return undefined
  // Visitors without scripts see the fallback too. On a wall it is often the only text.
  const shown = words < 20 ? `${facts.text} ${facts.fallback}` : facts.text
  if (isBotWall(facts, shown) || isBareChallenge(facts)) return 'bot_wall'
  if (Math.max(words, contentWords) <= CHALLENGE_WORDS && hasChallenge(source)) return 'bot_wall'
  if (
    words <= (facts.isAboutSomething ? SUBJECT_WORDS : 120) &&
    isOneOf(shown, GEO_SIGNS, world.GEO_SIGNS_WORLD)
  )
    return 'geo_wall'
  if (
    isLogin(facts, shown, finalUrl) ||
    (words <= PAYWALL_WORDS && world.PAYWALL_SIGNS.test(shown))
  )
    return 'login_wall'
  if (isConsent(facts, shown, finalUrl)) return 'consent_wall'
  return refusalOf(facts, shown)
}

/** A refusal is a page with a few sentences, few links and no subject. */
function refusalOf(facts: PageFacts, shown: string): JudgeReason | undefined {
  const { contentWords, source, title, isAboutSomething } = facts
  const words = Math.max(facts.words, contentWords)
  if (words > LONG_NOTICE.words || linksIn(source) >= NOTICE_LINKS) return undefined
  if (isAboutSomething && !namesRefusal(title)) return undefined
  const refusals = findRefusals(shown, title)
  const isNotice =
    words <= NOTICE_WORDS || refusals.length >= LONG_NOTICE.refusals || hasFirewallDetails(shown)
  return isNotice ? refusals[0] : undefined
}

function isBotWall({ title, words, source, isAboutSomething }: PageFacts, shown: string): boolean {
  const signs = [...BOT_SIGNS, ...world.BOT_SIGNS_WORLD].filter((sign) => sign.test(shown)).length
  const titled = isOneOf(title, WALL_TITLES, world.WALL_TITLES_WORLD) ? 2 : 0
  if (isAboutSomething && titled === 0 && signs < 3) return false
  if (words <= WALL_WORDS.oneSign && signs + titled >= 1)
    return !isBareCaptchaMention(shown, signs, titled, words)
  const named = linksIn(source) < SITE_LINKS ? titled : 0
  return (words <= WALL_WORDS.twoSigns && signs >= 1 && signs + named >= 3) || signs >= 4
}

function isLogin(
  { title, words, source, isAboutSomething }: PageFacts,
  shown: string,
  finalUrl: string,
): boolean {
  const isNamed = world.LOGIN_TITLES.test(title)
  if (
    words <= 60 &&
    isNamed &&
    (hasPasswordField(source) || (hasAccountField(source) && !isAboutSomething))
  )
    return true
  // A page with little more than a login is a login, under any title.
  if (
    words <= 40 &&
    !isAboutSomething &&
    world.LOGIN_TITLES.test(shown) &&
    hasPasswordField(source)
  )
    return true
  if (words <= 120 && /\/authwall\b/i.test(finalUrl)) return true
  const requiresLogin =
    words <= 120 &&
    isOneOf(shown.replace(world.LOGIN_TO_ANSWER, ' '), LOGIN_SIGNS, world.LOGIN_SIGNS_WORLD)
  return (
    requiresLogin &&
    (words <= 60 || isNamed || /\/(log-?in|sign-?in|auth|checkpoint)\b/i.test(finalUrl))
  )
}

function isConsent(facts: PageFacts, shown: string, finalUrl: string): boolean {
  const { title, words } = facts
  if (words <= 60 && world.AGE_SIGNS.test(shown)) return !facts.isAboutSomething
  if (words > 250 || !isOneOf(shown, CONSENT_SIGNS, world.CONSENT_SIGNS_WORLD)) return false
  if (/\/\/consent\.|\/consent(\/|\?|$)/i.test(finalUrl) || /before you continue/.test(title))
    return true
  if (/consent|privacy/.test(title)) return !facts.isAboutSomething
  return words <= 80 && world.CONSENT_CHOICES.test(shown) && !hasContentNextToNotice(facts)
}

/**
 * Detects content next to a consent notice, for example in a shop: the main content does not
 * mention cookies, or the page has a subject and more words than the notice.
 */
function hasContentNextToNotice({
  source,
  contentText,
  contentWords,
  isAboutSomething,
}: PageFacts): boolean {
  if (source === '' || contentWords < OWN_WORDS) return false
  return (
    isAboutSomething ||
    !(
      isOneOf(contentText, CONSENT_SIGNS, world.CONSENT_SIGNS_WORLD) ||
      world.CONSENT_CHOICES.test(contentText)
    )
  )
}

function linksIn(source: string): number {
  return source.match(/<a\s/gi)?.length ?? 0
}

function isOneOf(text: string, ...signs: readonly RegExp[]): boolean {
  return signs.some((sign) => sign.test(text))
}

/** A short page that only mentions captchas, such as a glossary entry, is not a wall. */
function isBareCaptchaMention(
  shown: string,
  signs: number,
  titled: number,
  words: number,
): boolean {
  return (
    titled === 0 &&
    signs === 1 &&
    words > 40 &&
    /\bcaptcha\b|验证码|bot (detection|protection|traffic)|too many requests/.test(shown)
  )
}

/** Only a small script: no words, no title, no element that an application fills. */
function isBareChallenge({
  words,
  title,
  fallback,
  scripts,
  scriptChars,
  source,
}: PageFacts): boolean {
  return (
    words === 0 &&
    title === '' &&
    fallback === '' &&
    scripts > 0 &&
    scriptChars > 0 &&
    source.length < 2_000
  )
}

function shellKind(facts: PageFacts, sourceKnown: boolean): JudgeReason | undefined {
  const { words, title, text, fallback, contentWords, source, isAboutSomething } = facts
  if (
    words <= (isAboutSomething ? OWN_WORDS : 150) &&
    (isOneOf(title, ERROR_TITLES, world.ERROR_TITLES_WORLD) || PARKED_SIGNS.test(text))
  )
    return 'error_page'
  if (words <= 80 && isOneOf(text, ERROR_SIGNS, world.ERROR_SIGNS_WORLD)) return 'error_page'
  if (
    words <= 60 &&
    contentWords <= 60 &&
    !(isAboutSomething && contentWords > SUBJECT_WORDS) &&
    isOneOf(`${text} ${fallback}`, SCRIPT_SIGNS, world.SCRIPT_SIGNS_WORLD)
  )
    return 'needs_javascript'
  if (
    sourceKnown &&
    contentWords <= MENU_WORDS &&
    isEmptyApplication(source, facts.unlinkedWords <= UNLINKED_WORDS)
  )
    return 'empty_shell'
  if (!sourceKnown || contentWords >= 60) return contentWords < 12 ? 'empty_shell' : undefined
  if (words < 8)
    return words > 0 && facts.scripts === 0 && source.length < 2_000 ? undefined : 'empty_shell'
  // A large source with few words is waiting for a script, even if it shows some menu words.
  return words < 60 && source.length > 5_000 && text.length < source.length * 0.03
    ? 'empty_shell'
    : undefined
}

function flagged(flag: QualityFlag, reason: JudgeReason, score: number): Verdict {
  return { yield: Number(score.toFixed(2)), flags: [flag], reason }
}
