/** Finds the prose of Markdown documents, and the comments of SQL, CSS and shell-like files. */
import { blankAll, maskAll, maskCode, type Passage } from './passage.ts'

/** One passage for each paragraph, heading, list item and table row; none for code blocks. */
export function readMarkdown(source: string): readonly Passage[] {
  const prose = maskCode(
    maskAll(
      blankAll(blankAll(source, /^([ \t]*)(```+|~~~+)[^]*?^\1?[ \t]*\2/gm), /<!--[^]*?-->/g),
      /(?<=\])\([^)\s]*(?: "[^"]*")?\)/g,
    ),
  )
  const passages: Passage[] = []
  const startsBlock = /^\s*(?:$|#|[-*+] |\d+[.)] |\||>|<)/
  let start = 0
  const lines = prose.split('\n')
  let isOpen = false
  for (const line of lines) {
    const last = passages.at(-1)
    if (line.trim() !== '') {
      const isHeading = /^#{1,6} /.test(line)
      if (isOpen && last !== undefined && last.place === 'document' && !startsBlock.test(line)) {
        passages[passages.length - 1] = { ...last, text: `${last.text}\n${line}` }
      } else {
        passages.push({ place: isHeading ? 'heading' : 'document', start, text: line })
      }
    }
    isOpen = line.trim() !== ''
    start += line.length + 1
  }
  return passages.map((passage) => ({
    ...passage,
    text: blankAll(passage.text, /^\s*(?:#+ |>|[-*+] |\d+[.)] |\|[-:| ]+\|$)|\*\*/g),
  }))
}

export function readSql(source: string): readonly Passage[] {
  return lineComments(source, /^[ \t]*--/)
}

/** Shell, Python, YAML and Dockerfiles. */
export function readHashComments(source: string): readonly Passage[] {
  return lineComments(source, /^[ \t]*#(?!!)/)
}

export function readCss(source: string): readonly Passage[] {
  return [...source.matchAll(/\/\*[^]*?\*\//g)].map(({ 0: comment, index }) => ({
    place: 'comment',
    start: index,
    text: maskCode(blankAll(comment, /^\/\*+|\*\/$/g)),
  }))
}

/** Comments on adjacent lines are one passage. */
function lineComments(source: string, marker: RegExp): readonly Passage[] {
  const passages: Passage[] = []
  let start = 0
  let isOpen = false
  for (const line of source.split('\n')) {
    const last = passages.at(-1)
    const isComment = marker.test(line)
    const text = maskCode(blankAll(line, marker))
    if (isComment && isOpen && last !== undefined) {
      passages[passages.length - 1] = { ...last, text: `${last.text}\n${text}` }
    } else if (isComment) {
      passages.push({ place: 'comment', start, text })
    }
    isOpen = isComment
    start += line.length + 1
  }
  return passages
}
