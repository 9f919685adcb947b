import { parse, type ParseOptions, type TokenType } from 'sugar-high/core'
import * as json from 'sugar-high/lang/json'
import * as python from 'sugar-high/lang/python'
import * as typescript from 'sugar-high/lang/typescript'
import { html, type Html } from '../html.ts'

export type CodeLanguage = 'sh' | 'json' | 'http' | 'js' | 'python' | 'text'

const GRAMMARS: Readonly<Record<CodeLanguage, ParseOptions | null>> = {
  sh: null,
  json,
  js: typescript,
  python,
  http: null,
  text: null,
}

/** The classes of styles/components/code.css. Other tokens have the color of the text. */
const CLASSES: Partial<Record<TokenType, string>> = {
  keyword: 't-keyword',
  string: 't-string',
  property: 't-property',
  comment: 't-comment',
  sign: 't-sign',
}

/** Stands for the reader's key. A script replaces it by the test key that the browser remembers. */
export const KEY_PLACEHOLDERS = ['$TOLLGATE_KEY', 'tg_test_…'] as const

/** Code as markup with a class per token. */
export function highlight(text: string, language: CodeLanguage): Html {
  if (language === 'sh') return html`${shellTokens(text).map(renderToken)}`
  const grammar = GRAMMARS[language]
  if (grammar === null) return withKey(text)
  const lines = parse(text, grammar).lines.map(({ tokens }) =>
    tokens.map(({ type, value }) => ({ kind: kindOf(type, value, language), value })),
  )
  return html`${lines.map((tokens, at) => html`${at > 0 && '\n'}${merge(tokens).map(renderToken)}`)}`
}

type Token = { readonly kind: string | undefined; readonly value: string }

function kindOf(type: TokenType, value: string, language: CodeLanguage): string | undefined {
  if (type === 'class') return /^\d/.test(value) ? 't-number' : undefined
  if (type === 'property' && language === 'json') return 't-keyword'
  return CLASSES[type]
}

/** Joins neighbors of one kind, and spaces with the token before them. */
function merge(tokens: readonly Token[]): readonly Token[] {
  const merged: Token[] = []
  for (const token of tokens) {
    const last = merged.at(-1)
    if (last !== undefined && (last.kind === token.kind || token.value.trim() === ''))
      merged[merged.length - 1] = { kind: last.kind, value: last.value + token.value }
    else merged.push(token)
  }
  return merged
}

const SHELL =
  /(?<comment>(?<=^|\s)#.*)|(?<string>'(?:[^'])*'|"(?:[^"\\]|\\.)*")|(?<command>^[\w./-]+(?=\s))|(?<flag>(?<=\s)--?[\w-]+)|(?<sign>\\$)/gm

const SHELL_CLASSES = {
  comment: 't-comment',
  string: 't-string',
  command: 't-keyword',
  flag: 't-property',
  sign: 't-sign',
} as const

/** Commands, flags, texts and comments. Grammars of programming languages split words at every dash and slash. */
function shellTokens(text: string): readonly Token[] {
  const tokens: Token[] = []
  let end = 0
  for (const match of text.matchAll(SHELL)) {
    const [name] = Object.entries(match.groups ?? {}).find(([, value]) => value !== undefined) ?? []
    tokens.push(
      { kind: undefined, value: text.slice(end, match.index) },
      { kind: SHELL_CLASSES[name as keyof typeof SHELL_CLASSES], value: match[0] },
    )
    end = match.index + match[0].length
  }
  return [...tokens, { kind: undefined, value: text.slice(end) }]
}

function renderToken({ kind, value }: Token): Html {
  return kind === undefined ? withKey(value) : html`<span class="${kind}">${withKey(value)}</span>`
}

function withKey(text: string): Html {
  const found = KEY_PLACEHOLDERS.find((placeholder) => text.includes(placeholder))
  if (found === undefined) return html`${text}`
  return html`${text.split(found).map((part, at) => html`${at > 0 && html`<span data-key>${found}</span>`}${part}`)}`
}
