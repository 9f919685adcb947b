import { isTest, type Rule } from './source.ts'

const MOST_LINES = 300

/** Files that contain data, not code. */
const DATA: readonly string[] = []

/** A source file has at most 300 formatted lines; tests and data may have more. */
export const fileLength: Rule = {
  name: 'file length',
  find: (files) =>
    files
      .filter(({ name, lines }) => lines > MOST_LINES && !isTest(name) && !DATA.includes(name))
      .map(({ name, lines }) => `${name}: ${lines} lines, at most ${MOST_LINES}`),
}
