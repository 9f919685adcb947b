import { isTest, type Rule } from './source.ts'

const MOST_LINES = 300

/** Tables and records: data, not code. */
const DATA: readonly string[] = [
  'src/errors/catalog.ts',
  'src/vendors/contactfind/record.ts',
  'src/vendors/datahub/money.ts',
  'src/vendors/llmnative-b/record.ts',
  'src/vendors/markets/open-paths.ts',
  'src/vendors/propdata/record.ts',
  'src/vendors/secfilings/record.ts',
  'src/vendors/semantic/record.ts',
]

/** A source file has at most 300 formatted lines; tests and data may have more. */
export const fileLength: Rule = {
  name: 'file length',
  find: (files) =>
    files
      .filter(({ name, lines }) => lines > MOST_LINES && !isTest(name) && !DATA.includes(name))
      .map(({ name, lines }) => `${name}: ${lines} lines, at most ${MOST_LINES}`),
}
