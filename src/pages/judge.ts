import { BOT_SIGNS, CONSENT_SIGNS, ERROR_SIGNS, ERROR_TITLES, GEO_SIGNS, LOGIN_SIGNS, SCRIPT_SIGNS, WALL_TITLES } from './judge-phrases.ts'
import { readVisibleText, type VisibleText } from './visible-text.ts'

export type QualityFlag = 'blocked' | 'thin_content'
export type Verdict = {
  /** 0 (nothing) to 1 (a full page). A flagged page stays below 0.3. */
  yield: number
  flags: QualityFlag[]
  reason?: JudgeReason
}
export type JudgeReason = 'http_status' | 'bot_wall' | 'login_wall' | 'consent_wall' | 'geo_wall' | 'error_page' | 'needs_javascript' | 'empty_shell'
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
const BLOCKING_STATUS: ReadonlySet<number> = new Set([401, 403, 407, 429, 451, 503])
const FULL_PAGE_WORDS = 300

/** What a reader sees of a page: its words, and how much of it is machinery. */
type Sight = VisibleText & { words: number; sourceChars: number; contentWords: number }

/** Tells a page from a wall or an empty shell by what it says and how it is built, whatever its status. Never throws. */
export function judgePage(page: JudgedPage): Verdict {
  const sight = look(page)
  if (page.status >= 400) return flagged(BLOCKING_STATUS.has(page.status) ? 'blocked' : 'thin_content', 'http_status', 0)
  const wall = wallKind(sight, page.finalUrl)
  if (wall !== undefined) return flagged('blocked', wall, 0)
  const shell = shellKind(sight, page.html !== undefined)
  if (shell !== undefined) return flagged('thin_content', shell, Math.min(0.25, sight.contentWords / 400))
  return { yield: Number(Math.min(1, 0.5 + sight.contentWords / (2 * FULL_PAGE_WORDS)).toFixed(2)), flags: [] }
}

function look({ html, content, title }: JudgedPage): Sight {
  const contentText = content.trimStart().startsWith('<') ? readVisibleText(content).text : plain(content)
  const seen = html === undefined ? { text: contentText, fallback: '', title: '', scripts: 0, scriptChars: 0 } : readVisibleText(html)
  return {
    ...seen,
    text: seen.text.toLowerCase().replaceAll('’', "'"),
    fallback: seen.fallback.toLowerCase().replaceAll('’', "'"),
    title: (seen.title === '' ? (title ?? '') : seen.title).trim().toLowerCase().replaceAll('’', "'"),
    words: countWords(seen.text),
    sourceChars: html?.length ?? 0,
    contentWords: countWords(contentText),
  }
}

function wallKind(sight: Sight, finalUrl: string): JudgeReason | undefined {
  const { title, words } = sight
  // Without scripts the reader sees the fallback too, and on a wall it is often all there is.
  const said = words < 20 ? `${sight.text} ${sight.fallback}` : sight.text
  const signs = BOT_SIGNS.filter((sign) => sign.test(said)).length
  const titled = WALL_TITLES.test(title) ? 2 : 0
  if (words <= WALL_WORDS.oneSign && signs + titled >= 1 && !isBareCaptchaMention(said, signs, titled, words)) return 'bot_wall'
  if (words <= WALL_WORDS.twoSigns && signs >= 1 && signs + titled >= 3) return 'bot_wall'
  if (words <= WALL_WORDS.threeSigns && signs >= 4) return 'bot_wall'
  if (isBareChallenge(sight)) return 'bot_wall'
  if (words <= 120 && GEO_SIGNS.test(said)) return 'geo_wall'
  if (words <= 120 && LOGIN_SIGNS.test(said) && (words <= 60 || /(^|\W)(log|sign) ?in\b/.test(title) || /\/(log-?in|sign-?in|auth|checkpoint)\b/i.test(finalUrl))) return 'login_wall'
  if (words <= 250 && CONSENT_SIGNS.test(said) && (/consent|privacy|before you continue/.test(title) || /\/\/consent\.|\/consent(\/|\?|$)/i.test(finalUrl) || (words <= 80 && /accept|consent|reject/.test(said)))) return 'consent_wall'
  return undefined
}

/** A short page that merely names captchas, such as a glossary entry, is no wall. */
function isBareCaptchaMention(said: string, signs: number, titled: number, words: number): boolean {
  return titled === 0 && signs === 1 && words > 40 && /\bcaptcha\b|bot (detection|protection|traffic)|too many requests/.test(said)
}

/** Nothing but a little script: no words, no title, no element for an application to fill. */
function isBareChallenge({ words, title, fallback, scripts, scriptChars, sourceChars }: Sight): boolean {
  return words === 0 && title === '' && fallback === '' && scripts > 0 && scriptChars > 0 && sourceChars < 2_000
}

function shellKind(sight: Sight, sourceKnown: boolean): JudgeReason | undefined {
  const { words, title, text, fallback, contentWords, sourceChars } = sight
  if (words <= 150 && (ERROR_TITLES.test(title) || (words <= 80 && ERROR_SIGNS.test(text)))) return 'error_page'
  if (words <= 60 && contentWords <= 60 && (SCRIPT_SIGNS.test(text) || SCRIPT_SIGNS.test(fallback))) return 'needs_javascript'
  if (!sourceKnown || contentWords >= 60) return contentWords < 12 ? 'empty_shell' : undefined
  if (words < 8) return words > 0 && sight.scripts === 0 && sourceChars < 2_000 ? undefined : 'empty_shell'
  // A large source that says next to nothing is waiting for a script, even when a few menu words are there.
  return words < 60 && sourceChars > 5_000 && text.length < sourceChars * 0.03 ? 'empty_shell' : undefined
}

function flagged(flag: QualityFlag, reason: JudgeReason, score: number): Verdict {
  return { yield: Number(score.toFixed(2)), flags: [flag], reason }
}

/** Markdown without its signs and link targets. */
function plain(markdown: string): string {
  return markdown.replace(/!?\[([^[\]]*)\]\([^()]*\)/g, '$1').replace(/[#*_`>|~]+/g, ' ').replace(/\s+/g, ' ').trim()
}

/** Words; in scripts without spaces, half the characters. Challenge code that stands in the text has no letters. */
function countWords(text: string): number {
  const words = text.match(/[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu) ?? []
  const dense = text.match(/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]/gu)?.length ?? 0
  return words.length + Math.round(dense / 2)
}
