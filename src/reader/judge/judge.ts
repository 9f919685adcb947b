import { asksForAccount, asksForPassword, hasChallenge } from './judge-machinery.ts'
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
import { hasSubject } from './judge-subject.ts'
import { readVisibleText, type VisibleText } from '../extract/visible-text.ts'

export type QualityFlag = 'blocked' | 'thin_content'
export type Verdict = {
  /** 0 (nothing) to 1 (a full page). A flagged page stays below 0.3. */
  yield: number
  flags: QualityFlag[]
  reason?: JudgeReason
}
export type JudgeReason =
  | 'http_status'
  | 'bot_wall'
  | 'login_wall'
  | 'consent_wall'
  | 'geo_wall'
  | 'error_page'
  | 'needs_javascript'
  | 'empty_shell'
export type JudgedPage = {
  /** The source of the page, when it is known; without it only `content` is judged. */
  html?: string | undefined
  /** What was made of it: markdown, text or HTML. */
  content: string
  title: string | null
  status: number
  finalUrl: string
}

/** A wall's own words are few; longer pages with the same words are pages about walls. */
const WALL_WORDS = { oneSign: 90, twoSigns: 280, threeSigns: 450 }
/** A challenge says next to nothing; a page that shows more than this has been let through. */
const CHALLENGE_WORDS = 40
/** The teaser of a paid article is longer than a wall. */
const PAYWALL_WORDS = 150
/** What a page has to say besides, when it is one with a notice on it. */
const OWN_WORDS = 12
const SUBJECT_WORDS = 25
/** With a menu of so many links a page is one of a site, and its title may be about walls. */
const SITE_LINKS = 15
const BLOCKING_STATUS: ReadonlySet<number> = new Set([401, 403, 407, 429, 451, 503])
const FULL_PAGE_WORDS = 300

/** What a reader sees of a page: its words, and how much of it is machinery. */
type Sight = VisibleText & {
  words: number
  source: string
  contentText: string
  contentWords: number
  isAboutSomething: boolean
}

/** Tells a page from a wall or an empty shell by what it says and how it is built, whatever its status. Never throws. */
export function judgePage(page: JudgedPage): Verdict {
  const sight = look(page)
  if (page.status >= 400)
    return flagged(BLOCKING_STATUS.has(page.status) ? 'blocked' : 'thin_content', 'http_status', 0)
  const wall = wallKind(sight, page.finalUrl)
  if (wall !== undefined) return flagged('blocked', wall, 0)
  const shell = shellKind(sight, page.html !== undefined)
  if (shell !== undefined)
    return flagged('thin_content', shell, Math.min(0.25, sight.contentWords / 400))
  return {
    yield: Number(Math.min(1, 0.5 + sight.contentWords / (2 * FULL_PAGE_WORDS)).toFixed(2)),
    flags: [],
  }
}

function look({ html, content, title }: JudgedPage): Sight {
  const contentText = content.trimStart().startsWith('<')
    ? readVisibleText(content).text
    : plain(content)
  const seen =
    html === undefined
      ? { text: contentText, fallback: '', title: '', scripts: 0, scriptChars: 0 }
      : readVisibleText(html)
  const [words, contentWords, name] = [
    countWords(seen.text),
    countWords(contentText),
    lower(seen.title === '' ? (title ?? '') : seen.title).trim(),
  ]
  return {
    ...seen,
    text: lower(seen.text),
    fallback: lower(seen.fallback),
    title: name,
    words,
    source: html ?? '',
    contentText: lower(contentText),
    contentWords,
    isAboutSomething:
      words <= WALL_WORDS.threeSigns && contentWords >= OWN_WORDS && hasSubject(name, html ?? ''),
  }
}

const lower = (text: string): string => text.toLowerCase().replaceAll('’', "'")

function wallKind(sight: Sight, finalUrl: string): JudgeReason | undefined {
  const { words, contentWords, source } = sight
  if (words > WALL_WORDS.threeSigns) return undefined
  // Without scripts the reader sees the fallback too, and on a wall it is often all there is.
  const said = words < 20 ? `${sight.text} ${sight.fallback}` : sight.text
  if (saysBotWall(sight, said) || isBareChallenge(sight)) return 'bot_wall'
  if (Math.max(words, contentWords) <= CHALLENGE_WORDS && hasChallenge(source)) return 'bot_wall'
  if (
    words <= (sight.isAboutSomething ? SUBJECT_WORDS : 120) &&
    isOneOf(said, GEO_SIGNS, world.GEO_SIGNS_WORLD)
  )
    return 'geo_wall'
  if (isLogin(sight, said, finalUrl) || (words <= PAYWALL_WORDS && world.PAYWALL_SIGNS.test(said)))
    return 'login_wall'
  return isConsent(sight, said, finalUrl) ? 'consent_wall' : undefined
}

function saysBotWall({ title, words, source, isAboutSomething }: Sight, said: string): boolean {
  const signs = [...BOT_SIGNS, ...world.BOT_SIGNS_WORLD].filter((sign) => sign.test(said)).length
  const titled = isOneOf(title, WALL_TITLES, world.WALL_TITLES_WORLD) ? 2 : 0
  if (isAboutSomething && titled === 0 && signs < 3) return false
  if (words <= WALL_WORDS.oneSign && signs + titled >= 1)
    return !isBareCaptchaMention(said, signs, titled, words)
  const named = linksIn(source) < SITE_LINKS ? titled : 0
  return (words <= WALL_WORDS.twoSigns && signs >= 1 && signs + named >= 3) || signs >= 4
}

function isLogin(
  { title, words, source, isAboutSomething }: Sight,
  said: string,
  finalUrl: string,
): boolean {
  const isNamed = world.LOGIN_TITLES.test(title)
  if (
    words <= 60 &&
    isNamed &&
    (asksForPassword(source) || (asksForAccount(source) && !isAboutSomething))
  )
    return true
  // What says next to nothing but that one can log in is a login, whatever its title.
  if (words <= 40 && !isAboutSomething && world.LOGIN_TITLES.test(said) && asksForPassword(source))
    return true
  if (words <= 120 && /\/authwall\b/i.test(finalUrl)) return true
  const isAsked =
    words <= 120 &&
    isOneOf(said.replace(world.LOGIN_TO_ANSWER, ' '), LOGIN_SIGNS, world.LOGIN_SIGNS_WORLD)
  return (
    isAsked && (words <= 60 || isNamed || /\/(log-?in|sign-?in|auth|checkpoint)\b/i.test(finalUrl))
  )
}

function isConsent(sight: Sight, said: string, finalUrl: string): boolean {
  const { title, words } = sight
  if (words <= 60 && world.AGE_SIGNS.test(said)) return !sight.isAboutSomething
  if (words > 250 || !isOneOf(said, CONSENT_SIGNS, world.CONSENT_SIGNS_WORLD)) return false
  if (/\/\/consent\.|\/consent(\/|\?|$)/i.test(finalUrl) || /before you continue/.test(title))
    return true
  if (/consent|privacy/.test(title)) return !sight.isAboutSomething
  return words <= 80 && world.CONSENT_CHOICES.test(said) && !isContentBesideNotice(sight)
}

/** A shop that asks for consent at its edge has shown what it sells: its main content says nothing of cookies, or it has a subject and more to say than the notice. */
function isContentBesideNotice({
  source,
  contentText,
  contentWords,
  isAboutSomething,
}: Sight): boolean {
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

/** A short page that merely names captchas, such as a glossary entry, is no wall. */
function isBareCaptchaMention(said: string, signs: number, titled: number, words: number): boolean {
  return (
    titled === 0 &&
    signs === 1 &&
    words > 40 &&
    /\bcaptcha\b|验证码|bot (detection|protection|traffic)|too many requests/.test(said)
  )
}

/** Nothing but a little script: no words, no title, no element for an application to fill. */
function isBareChallenge({ words, title, fallback, scripts, scriptChars, source }: Sight): boolean {
  return (
    words === 0 &&
    title === '' &&
    fallback === '' &&
    scripts > 0 &&
    scriptChars > 0 &&
    source.length < 2_000
  )
}

function shellKind(sight: Sight, sourceKnown: boolean): JudgeReason | undefined {
  const { words, title, text, fallback, contentWords, source, isAboutSomething } = sight
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
  if (!sourceKnown || contentWords >= 60) return contentWords < 12 ? 'empty_shell' : undefined
  if (words < 8)
    return words > 0 && sight.scripts === 0 && source.length < 2_000 ? undefined : 'empty_shell'
  // A large source that says next to nothing is waiting for a script, even when a few menu words are there.
  return words < 60 && source.length > 5_000 && text.length < source.length * 0.03
    ? 'empty_shell'
    : undefined
}

function flagged(flag: QualityFlag, reason: JudgeReason, score: number): Verdict {
  return { yield: Number(score.toFixed(2)), flags: [flag], reason }
}

/** Markdown without its signs and link targets. */
function plain(markdown: string): string {
  return markdown
    .replace(/!?\[([^[\]]*)\]\([^()]*\)/g, '$1')
    .replace(/[#*_`>|~]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}

/** Words; in scripts without spaces, half the characters. Challenge code that stands in the text has no letters. */
function countWords(text: string): number {
  const words = text.match(/[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu) ?? []
  const dense = text.match(/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]/gu)?.length ?? 0
  return words.length + Math.round(dense / 2)
}
