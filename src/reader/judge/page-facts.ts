import { hasSubject } from './judge-subject.ts'
import { readVisibleText, type VisibleText } from '../extract/visible-text.ts'

export type JudgedPage = {
  /** The page's source, if known; without it, only `content` is judged. */
  html?: string | undefined
  /** The extracted content: markdown, text or HTML. */
  content: string
  title: string | null
  status: number
  finalUrl: string
  /** The extraction's estimate of its own quality, 0 to 1, if known. */
  contentYield?: number | undefined
}

/** Fewest words of content on a page with a notice. */
export const OWN_WORDS = 12
/** Longer pages are not checked for a subject. */
const MOST_WORDS = 450

/** The visible words of a page, and facts about its source. */
export type PageFacts = VisibleText & {
  words: number
  source: string
  contentText: string
  contentWords: number
  /** The words of the content outside its links. */
  unlinkedWords: number
  isAboutSomething: boolean
}

/** Reads what the judge needs to know about a page. Texts are in lower case. */
export function readFacts({ html, content, title }: JudgedPage): PageFacts {
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
    unlinkedWords: countWords(withoutLinks(content)),
    isAboutSomething:
      words <= MOST_WORDS && contentWords >= OWN_WORDS && hasSubject(name, html ?? ''),
  }
}

const lower = (text: string): string => text.toLowerCase().replaceAll('’', "'")

/** Markdown without its links and images. Removed twice, because an image may be inside a link. */
function withoutLinks(markdown: string): string {
  const links = /!?\[[^[\]]*\]\([^()]*\)/g
  return markdown.replace(links, '').replace(links, '')
}

/** Markdown without its markup and link targets. */
function plain(markdown: string): string {
  return markdown
    .replace(/!?\[([^[\]]*)\]\([^()]*\)/g, '$1')
    .replace(/[#*_`>|~]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}

/**
 * Counts words; for scripts without spaces, half the characters. Inline challenge code has no
 * letters.
 */
function countWords(text: string): number {
  const words = text.match(/[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu) ?? []
  const dense = text.match(/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]/gu)?.length ?? 0
  return words.length + Math.round(dense / 2)
}
