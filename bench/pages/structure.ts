import { wordsOf } from './gold.ts'

const LINK = /(?<!!)\[([^\]]+)\]\(([^)\s]+)[^)]*\)/g
const MAX_WORDS = 12

/** The headings, list items, table rows, links and bold runs of markdown outside code blocks, each as one comparable token. */
export function structureOf(markdown: string): string[] {
  const found: string[] = []
  let inCode = false
  for (const line of markdown.split('\n')) {
    if (/^\s*(```|~~~)/.test(line)) {
      inCode = !inCode
    } else if (!inCode) {
      found.push(...structureOfLine(line))
    }
  }
  return found
}

function structureOfLine(line: string): string[] {
  const words = (text: string) => wordsOf(text.replace(LINK, '$1')).slice(0, MAX_WORDS).join(' ')
  const heading = /^#{1,6} (.*)/.exec(line)?.[1]
  const item = /^\s*(?:[-*+]|\d+\.) (.*)/.exec(line)?.[1]
  const row = /^\s*\|.*\|/.test(line) && !/^[\s|:-]+$/.test(line) ? line : undefined
  return [
    ...(heading === undefined ? [] : [`heading ${words(heading)}`]),
    ...(item === undefined ? [] : [`item ${words(item)}`]),
    ...(row === undefined ? [] : [`row ${words(row)}`]),
    ...[...line.matchAll(LINK)].map((match) => `link ${words(match[1] ?? '')}`),
    ...[...line.matchAll(/\*\*([^*]+)\*\*/g)].map((match) => `bold ${words(match[1] ?? '')}`),
  ]
}
