import type { Block } from './read-blocks.ts'
import { countDense, countWords } from './text-size.ts'

const ELSEWHERE =
  /\b(?:related|recommended|similar|popular|trending|latest|recent|more (?:from|in|on|stories|news|articles|posts)|most (?:read|viewed|popular)|you (?:may|might)|also (?:like|viewed|bought)|read (?:next|more|also)|up next|keep reading|see also|share|follow|subscribe|newsletter|sign up|sponsored|advertisement|comments?|leave a|about the author|tags?|categories|archives?)\b|verwandte|meistgelesen|ähnliche|mehr zum thema|articles? (?:similaires|liés)|à lire aussi|artículos relacionados|te puede interesar|articoli correlati|leggi anche|leia também|lees ook|читайте также|похожие|関連|ランキング|人気|おすすめ|相关|相關|推荐|推薦|热门|熱門|最新|排行|更多|延伸閱讀|延伸阅读|評論|评论|留言|관련|인기|댓글|추천/iu
const BOILERPLATE =
  /©|\ball rights reserved\b|\bprivacy policy\b|\bterms (?:of|and)\b|\bcookies?\b|\bpowered by\b|\bsign (?:in|up)\b|\blog ?in\b|\bsubscribe\b|\bnewsletter\b|\bread more\b|\bclick here\b|\badd to (?:cart|basket|wishlist)\b|\bshare (?:this|on)\b|\bskip to\b|\bview all\b|\bload more\b|\bback to top\b|版权|版權|隐私|隱私|登录|登入|登錄|注册|註冊|备案|关于我们|關於我們|ログイン|会員登録|利用規約|プライバシー|무단|로그인|회원가입/iu
const DATE =
  /\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? \d{1,2}|\b\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|\b20\d\d-\d\d-\d\d|\b(?:\d+|an?) (?:minutes?|hours?|days?|weeks?|months?|years?) ago\b|\d{4}年|\d+(?:小时|小時|分钟|分鐘|天)前|時間前|\d{4}\. ?\d{1,2}\. ?\d{1,2}/iu
const PRICE = /[$€£¥₹]\s?\d|\d\s?(?:€|£|zł|kr|円|元|원)|\b(?:USD|EUR|GBP)\b/u
const SENTENCE_MARKS = /[.,;:!?。，、；：！？]/gu
const SENTENCE_END = /[.!?:;。！？…"”»)」]$/u
/** A heading or label, not a sentence. */
const LONGEST_LABEL = 80
const MOST_COMPARED_WORDS = 40

/** Numbers about the text of one block. */
export type TextFigures = {
  readonly size: number
  readonly words: number
  readonly linkDensity: number
  /** Marks per twenty characters. */
  readonly punctuation: number
  readonly endsSentence: number
  readonly digits: number
  readonly upper: number
  readonly dense: number
  readonly isBoilerplate: number
  readonly isDate: number
  readonly isPrice: number
  readonly isElsewhere: number
  /** A sentence or more, not mostly links. */
  readonly isProse: boolean
}

export function readTextFigures({ text, size, linkSize }: Block): TextFigures {
  const chars = text.length
  const words = countWords(text)
  const linkDensity = linkSize / size
  const count = (pattern: RegExp): number => text.match(pattern)?.length ?? 0
  return {
    size,
    words,
    linkDensity,
    punctuation: count(SENTENCE_MARKS) / Math.max(1, size / 20),
    endsSentence: SENTENCE_END.test(text) ? 1 : 0,
    digits: count(/\d/g) / chars,
    upper: count(/\p{Lu}/gu) / chars,
    dense: countDense(text) / chars,
    isBoilerplate: BOILERPLATE.test(text) ? 1 : 0,
    isDate: DATE.test(text) ? 1 : 0,
    isPrice: PRICE.test(text) ? 1 : 0,
    isElsewhere: chars < LONGEST_LABEL && ELSEWHERE.test(text) ? 1 : 0,
    isProse: words >= 12 && linkDensity < 0.3,
  }
}

/** Lower-case words; single characters of scripts without spaces. */
export function comparableWords(text: string): ReadonlySet<string> {
  const words = text
    .slice(0, 400)
    .toLowerCase()
    .match(/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]|[\p{L}\p{N}]{3,}/gu)
  return new Set(words?.slice(0, MOST_COMPARED_WORDS))
}

/** Shared words as a share of the smaller set, 0 to 1. */
export function overlap(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const least = Math.min(one.size, other.size)
  if (least === 0) return 0
  let shared = 0
  for (const word of one) if (other.has(word)) shared += 1
  return shared / least
}
