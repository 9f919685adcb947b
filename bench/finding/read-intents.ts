/**
 * Reads the intents of a folder. A block begins with `@ service/action` or `@ none`. Its lines have a
 * language ("!" after it for typos), an intent and equally good targets, separated by tabs.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export type Intent = {
  readonly text: string
  readonly language: string
  readonly hasTypos: boolean
  /** `service/action` or `service/action /endpoint`; empty when nothing in the catalog fits. */
  readonly right: readonly string[]
  /** The target that the intent was written for. */
  readonly block: string
  readonly file: string
}

export function readIntents(folder: string): Intent[] {
  return globSync('**/*.tsv', { cwd: folder })
    .toSorted()
    .flatMap((file) => readFile(join(folder, file), file))
}

function readFile(path: string, file: string): Intent[] {
  const intents: Intent[] = []
  let block = ''
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    if (line.startsWith('@ ')) block = line.slice(2).trim()
    else if (line.includes('\t')) intents.push(intentOf(line, block, file))
  }
  return intents
}

function intentOf(line: string, block: string, file: string): Intent {
  const [language = '', text = '', others = ''] = line.split('\t')
  const further = others
    .split(',')
    .map((target) => target.trim())
    .filter((target) => target !== '')
  return {
    text: text.trim(),
    language: language.replace('!', '').trim(),
    hasTypos: language.includes('!'),
    right: block === 'none' ? [] : [block, ...further],
    block,
    file,
  }
}

/** Equal for intents that differ only in case, punctuation and spaces. */
export function normalizeIntent(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()
}
