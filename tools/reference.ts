// Writes the types of the clients, which git ignores, and the generated documents of the repository. With --check it
// writes no document and exits 1 when one is out of date.
import { join } from 'node:path'
import { countActions } from '../src/surfaces/http/html/pages/landing-tiles.ts'
import { services } from '../src/vendors/index.ts'
import { clientCommandsReference, operatorCommandsReference } from './commands-reference.ts'
import { catalogTable } from './reference/catalog-table.ts'
import { readSurface, recordOf } from './reference/surface.ts'
import { readIfPresent, writeChanged, writeClientTypes } from './reference/client-types.ts'

const root = join(import.meta.dirname, '..')
const documents: readonly (readonly [name: string, toText: (present: string) => string])[] = [
  ['docs/reference/commands.md', clientCommandsReference],
  ['docs/reference/operator-commands.md', operatorCommandsReference],
  ['docs/reference/catalog.md', () => catalogTable(services)],
  ['docs/reference/surface.txt', () => recordOf(readSurface(services))],
  [
    'README.md',
    (present) =>
      present.replace(
        /call [\d,]+ actions and endpoints/,
        `call ${countActions(services).toLocaleString('en')} actions and endpoints`,
      ),
  ],
]

writeClientTypes()
let stale = 0
for (const [name, toText] of documents) {
  const file = join(root, name)
  const present = readIfPresent(file)
  const text = toText(present)
  if (!process.argv.includes('--check')) writeChanged(file, text)
  else if (present !== text) {
    stale += 1
    process.stderr.write(`${name} is out of date: run "npx node tools/reference.ts"\n`)
  }
}
process.exitCode = stale === 0 ? 0 : 1
