import type { CodeLanguage } from '../../html/code/highlight.ts'
import type { Snippet } from '../../html/code/snippets.ts'

/** Names after a fence of Markdown, and their colors. All others are plain text. */
const LANGUAGES: Readonly<Record<string, CodeLanguage>> = {
  sh: 'sh',
  bash: 'sh',
  console: 'sh',
  json: 'json',
  http: 'http',
  js: 'js',
  ts: 'js',
  python: 'python',
}

type Tab = Pick<Snippet, 'id' | 'label'> & {
  /** Blocks of programs next to each other are one example. */
  readonly isProgram: boolean
}

export function languageOf(info: string | undefined): CodeLanguage {
  return LANGUAGES[nameOf(info)] ?? 'text'
}

/** The tab of a block, with the ids that the browser remembers. */
export function tabOf(info: string | undefined, text: string): Tab {
  switch (nameOf(info)) {
    case 'python':
      return { id: 'python', label: 'Python', isProgram: true }
    case 'ts':
    case 'js':
      return { id: 'typescript', label: 'TypeScript', isProgram: true }
    case 'sh':
    case 'bash':
      return text.includes('curl ')
        ? { id: 'curl', label: 'curl', isProgram: true }
        : { id: 'cli', label: 'CLI', isProgram: true }
    default:
      return { id: 'curl', label: '', isProgram: false }
  }
}

function nameOf(info: string | undefined): string {
  return info?.split(/\s/, 1)[0] ?? ''
}
