import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runWhole } from '../../src/lib/background/sliced.ts'
import { pythonTypes, sdkTypes } from '../../src/surfaces/http/packages/types/client-types.ts'

const ROOT = join(import.meta.dirname, '../..')

/** Writes the generated types below packages, where compilers and editors read them. */
export function writeClientTypes(): void {
  for (const [folder, texts] of [
    ['packages/sdk/src', runWhole(sdkTypes())],
    ['packages/python/src', runWhole(pythonTypes())],
  ] as const)
    for (const [name, text] of Object.entries(texts)) writeChanged(join(ROOT, folder, name), text)
}

/** An equal file stays untouched, so that editors and incremental compilers do not read it again. */
export function writeChanged(file: string, text: string): void {
  if (readIfPresent(file) !== text) writeFileSync(file, text)
}

/** The text of a file; an empty one if the file is missing. */
export function readIfPresent(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
