// Writes the generated documents from the sources: docs/reference, the types of the clients and the number of actions in
// README.md. With --check it writes nothing and exits 1 when a document is out of date.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { catalogReference, serviceReference } from '../src/catalog/published/catalog-reference.ts'
import { errorsReference } from '../src/catalog/published/errors-reference.ts'
import { eventsReference } from '../src/events/events-reference.ts'
import { countActions } from '../src/surfaces/http/html/pages/landing-tiles.ts'
import { services } from '../src/vendors/index.ts'
import { clientCommandsReference, operatorCommandsReference } from './commands-reference.ts'
import { writeClientTypes } from './reference/client-types.ts'

const root = new URL('../', import.meta.url)
const documents: readonly (readonly [name: string, toText: (present: string) => string])[] = [
  ['docs/reference/errors.md', errorsReference],
  ['docs/reference/commands.md', clientCommandsReference],
  ['docs/reference/operator-commands.md', operatorCommandsReference],
  ['docs/reference/events.md', eventsReference],
  ['docs/reference/catalog.md', () => catalogReference(services)],
  ...services.map(
    (service) =>
      [`docs/reference/actions/${service.id}.md`, () => serviceReference(service)] as const,
  ),
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
  const file = new URL(name, root)
  const present = await readFile(file, 'utf8').catch(() => '')
  const text = toText(present)
  if (present === text) continue
  if (process.argv.includes('--check')) {
    stale += 1
    process.stderr.write(`${name} is out of date: run "npx node tools/reference.ts"\n`)
  } else {
    await mkdir(new URL('.', file), { recursive: true })
    await writeFile(file, text)
  }
}
process.exitCode = stale === 0 ? 0 : 1
