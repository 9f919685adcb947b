/** Finds comments, strings and test names in TypeScript and JavaScript. */
import { SyntaxKind } from 'typescript/unstable/ast'
// The package is pinned to one version, so its unstable entry point cannot change unnoticed.
import { createScanner } from 'typescript/unstable/ast/scanner'
import { blank, blankAll, CODE, maskCode, type Passage, type Place } from './passage.ts'

interface Token {
  readonly kind: SyntaxKind
  readonly start: number
  readonly end: number
}

const TEST_CALL = /(?<![\w.])(?:(?:t|context)\.)?(?:test|it|describe|suite)(?:\.\w+)?$/
const DIRECTIVE = /^[\s/*]*(?:oxlint-|eslint-|@ts-|prettier-|#region|#endregion)/

/** After these tokens a slash divides; after any other it begins a regular expression. */
const ENDS_VALUE = new Set([
  SyntaxKind.Identifier,
  SyntaxKind.PrivateIdentifier,
  SyntaxKind.NumericLiteral,
  SyntaxKind.BigIntLiteral,
  SyntaxKind.StringLiteral,
  SyntaxKind.RegularExpressionLiteral,
  SyntaxKind.NoSubstitutionTemplateLiteral,
  SyntaxKind.TemplateTail,
  SyntaxKind.CloseParenToken,
  SyntaxKind.CloseBracketToken,
  SyntaxKind.CloseBraceToken,
  SyntaxKind.PlusPlusToken,
  SyntaxKind.MinusMinusToken,
  SyntaxKind.ThisKeyword,
  SyntaxKind.SuperKeyword,
  SyntaxKind.NullKeyword,
  SyntaxKind.TrueKeyword,
  SyntaxKind.FalseKeyword,
])
const IS_TRIVIA = new Set([SyntaxKind.WhitespaceTrivia, SyntaxKind.NewLineTrivia])
const IS_COMMENT = new Set([SyntaxKind.SingleLineCommentTrivia, SyntaxKind.MultiLineCommentTrivia])

/** All tokens and comments without blanks. Templates are split at their placeholders. */
export function tokensOf(source: string): readonly Token[] {
  const scanner = createScanner(false, undefined, source)
  const tokens: Token[] = []
  // The number of open braces inside each open placeholder.
  const placeholders: number[] = []
  let endsValue = false
  for (let kind = scanner.scan(); kind !== SyntaxKind.EndOfFile; kind = scanner.scan()) {
    if (IS_TRIVIA.has(kind)) continue
    const isSlash = kind === SyntaxKind.SlashToken || kind === SyntaxKind.SlashEqualsToken
    if (isSlash && !endsValue) kind = scanner.reScanSlashToken()
    const open = placeholders.length - 1
    if (kind === SyntaxKind.OpenBraceToken && open >= 0) placeholders[open]! += 1
    if (kind === SyntaxKind.CloseBraceToken && open >= 0) {
      if (placeholders[open] === 0) {
        placeholders.pop()
        kind = scanner.reScanTemplateToken(false)
      } else {
        placeholders[open]! -= 1
      }
    }
    if (kind === SyntaxKind.TemplateHead || kind === SyntaxKind.TemplateMiddle) placeholders.push(0)
    tokens.push({ kind, start: scanner.getTokenStart(), end: scanner.getTokenEnd() })
    if (!IS_COMMENT.has(kind)) endsValue = ENDS_VALUE.has(kind)
  }
  return tokens
}

/** `isTest`: rows of tables of tests are named by their first item or their key. */
export function readTypeScript(source: string, isTest = false): readonly Passage[] {
  const tokens = tokensOf(source)
  const code = tokens.filter((token) => !IS_COMMENT.has(token.kind))
  const comments = tokens.filter((token) => IS_COMMENT.has(token.kind))
  return [...readComments(source, comments), ...readStrings(source, code, isTest)]
}

/** Comments on adjacent lines are one passage. */
function readComments(source: string, comments: readonly Token[]): readonly Passage[] {
  const groups: Token[] = []
  for (const comment of comments) {
    if (DIRECTIVE.test(source.slice(comment.start, comment.end))) continue
    const last = groups.at(-1)
    const isNext =
      last !== undefined && /^[ \t]*\n?[ \t]*$/.test(source.slice(last.end, comment.start))
    const isLine =
      comment.kind === SyntaxKind.SingleLineCommentTrivia && last?.kind === comment.kind
    if (isNext && isLine) groups[groups.length - 1] = { ...last, end: comment.end }
    else groups.push(comment)
  }
  return groups.map(({ start, end }) => ({
    place: 'comment',
    start,
    text: maskCode(withoutMarkers(source.slice(start, end))),
  }))
}

function withoutMarkers(comment: string): string {
  return blankAll(blankAll(comment, /^[ \t]*(?:\/\*+|\/\/+|\*(?!\/))/gm), /\*\/$/)
}

function readStrings(source: string, code: readonly Token[], isTest: boolean): readonly Passage[] {
  const passages: Passage[] = []
  const templates: Passage[] = []
  const keywords = [...source.matchAll(/\bkeywords: \[[^\]]*\]/g)]
  code.forEach((token, index) => {
    const text = source.slice(token.start + 1, token.end - 1)
    const isWhole =
      token.kind === SyntaxKind.StringLiteral ||
      token.kind === SyntaxKind.NoSubstitutionTemplateLiteral
    if (isWhole && !isModuleName(code, index) && !isIn(keywords, token.start)) {
      passages.push({ place: placeOf(source, code, index), start: token.start + 1, text })
    } else if (token.kind === SyntaxKind.TemplateHead) {
      const head = source.slice(token.start + 1, token.end - 2)
      templates.push({ place: placeOf(source, code, index), start: token.start + 1, text: head })
    } else if (token.kind === SyntaxKind.TemplateMiddle || token.kind === SyntaxKind.TemplateTail) {
      const isTail = token.kind === SyntaxKind.TemplateTail
      const head = templates.pop()!
      const skipped = token.start + 1 - head.start - head.text.length
      const piece = source.slice(token.start + 1, token.end - (isTail ? 1 : 2))
      const whole = { ...head, text: head.text + codeOf(skipped) + piece }
      if (isTail) passages.push(whole)
      else templates.push(whole)
    }
  })
  const rows = isTest ? rowNames(source, code) : new Set<number>()
  return passages
    .map((passage): Passage => (rows.has(passage.start) ? { ...passage, place: 'row' } : passage))
    .filter(({ place, text }) => place !== 'string' || isProse(text))
    .map((passage) => ({ ...passage, text: readableText(passage.text) }))
}

const CODE_MARKS =
  /\bselect\b[^]*\bfrom\b|^\s*(?:insert into|update|delete from|with \w+ as|create|alter|set) |=>|===|::\w|\$\d|[;{]\s*\n|\|\w+\|/i
const WORD_LIST = /^(?:[\p{Ll}\d_'’-]+\s+){12}[^.,;:!?]*$/u

/** Several words, or a capital first. Ids, paths, SQL, scripts and lists of words are not read. */
function isProse(text: string): boolean {
  const isText = /^[A-Z]|\p{L}\s+\p{L}/u.test(text)
  return isText && !CODE_MARKS.test(text) && !WORD_LIST.test(text)
}

const codeOf = (length: number): string => CODE.repeat(length)

/** Keywords of an action are the words of those who search. */
function isIn(ranges: readonly RegExpExecArray[], offset: number): boolean {
  return ranges.some(({ 0: text, index }) => offset > index && offset < index + text.length)
}

function isModuleName(code: readonly Token[], index: number): boolean {
  const kind = code[index - 1]?.kind
  return kind === SyntaxKind.FromKeyword || kind === SyntaxKind.ImportKeyword
}

/** The first argument of `test(…)`, `it.skip(…)` or `t.test(…)` names a test. */
function placeOf(source: string, code: readonly Token[], index: number): Place {
  const before = code[index - 1]
  if (before?.kind !== SyntaxKind.OpenParenToken) return 'string'
  return TEST_CALL.test(source.slice(Math.max(0, before.start - 40), before.start))
    ? 'test name'
    : 'string'
}

/** Where strings of several words start that are the first of an array, or a key of an object. */
function rowNames(source: string, code: readonly Token[]): ReadonlySet<number> {
  const starts = code.filter((token, index) => {
    const [before, after] = [code[index - 1]?.kind, code[index + 1]?.kind]
    const isFirst = before === SyntaxKind.OpenBracketToken && after === SyntaxKind.CommaToken
    const isKey = before !== SyntaxKind.QuestionToken && after === SyntaxKind.ColonToken
    return (isFirst || isKey) && /^['`]\p{Ll}+ \S+ \S+/u.test(source.slice(token.start, token.end))
  })
  return new Set(starts.map(({ start }) => start + 1))
}

const INLINE_TAG = /^<\/?(?:a|abbr|b|code|em|i|kbd|mark|small|span|strong|time)\b/i
const READABLE_ATTRIBUTE = /\b(?:aria-label|placeholder|title|alt)="([^"]*)"/g

/** Masks escapes, tags (not the attributes that browsers show) and code. A block ends with `|`. */
function readableText(text: string): string {
  const plain = text.replaceAll(/\\[nrt]/g, '\n ').replaceAll(/\\(.)/g, ' $1')
  const withoutTags = plain.replaceAll(/<\/?[a-z!][^<>]*>/gi, (tag) => {
    let rest = INLINE_TAG.test(tag) ? blank(tag) : `${blank(tag.slice(0, -1))}|`
    for (const { 0: match, 1: value = '', index } of tag.matchAll(READABLE_ATTRIBUTE)) {
      const from = index + match.length - value.length - 1
      rest = `${rest.slice(0, from)}${value}|${rest.slice(from + value.length + 1)}`
    }
    return rest
  })
  return maskCode(withoutTags)
}
