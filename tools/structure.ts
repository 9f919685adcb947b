/**
 * Checks the structure of the code: cycles, sizes, and which file may import or call what.
 * `--count` prints the violations of each rule, `--rule <name>` checks one, `--table` prints sizes.
 */
import { globSync } from 'node:fs'
import { join, sep } from 'node:path'
import { parseArgs } from 'node:util'
import { sizeTable } from './rules/function-length.ts'
import { RULES } from './rules/index.ts'
import { parseSources } from './rules/parse.ts'

const root = join(import.meta.dirname, '..')
const { values } = parseArgs({
  options: {
    count: { type: 'boolean' },
    table: { type: 'boolean' },
    rule: { type: 'string' },
  },
})
const print = (line: string): void => void process.stdout.write(`${line}\n`)

const patterns = ['src', 'test', 'tools', 'bench', 'clients', 'packages'].map(
  (folder) => `${folder}/**/*.ts`,
)
const names = globSync(patterns, { cwd: root })
  .map((name) => name.split(sep).join('/'))
  .filter(
    (name) =>
      !name.includes('/node_modules/') &&
      !/^(?:packages\/\w+\/dist|clients\/openapi\/generated)\//.test(name),
  )
  // Generated types.
  .filter((name) => !name.endsWith('.d.ts'))
const files = parseSources(root, names.toSorted())

if (values.table === true) {
  for (const row of sizeTable(files)) print(row)
  process.exit(0)
}
const rules = RULES.filter(({ name }) => values.rule === undefined || values.rule === name)
if (rules.length === 0)
  throw new RangeError(`Unknown rule. Rules: ${RULES.map((rule) => rule.name).join(', ')}`)

let count = 0
for (const rule of rules) {
  const violations = rule.find(files)
  count += violations.length
  if (values.count === true) print(`${String(violations.length).padStart(6)}  ${rule.name}`)
  else for (const violation of violations) print(`${rule.name}: ${violation}`)
}
process.exit(count === 0 ? 0 : 1)
