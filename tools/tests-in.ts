import { globSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** The tests that somebody means by a file or a folder; throws for a folder without any, as node would run it as a program. */
export function testsIn(root: string, word: string): readonly string[] {
  if (statSync(join(root, word), { throwIfNoEntry: false })?.isDirectory() !== true) return [word]
  const tests = globSync(join(word, '**/*.test.ts'), { cwd: root }).toSorted()
  if (tests.length === 0) throw new RangeError(`There are no tests in ${word}.`)
  return tests
}
