// Writes docs/reference from the sources. With --check writes nothing and exits 1 when a page is out of date.
import { readFile, writeFile } from 'node:fs/promises'
import { catalogReference } from '../src/catalog/published/catalog-reference.ts'
import { errorsReference } from '../src/catalog/published/errors-reference.ts'
import { services } from '../src/vendors/index.ts'

const folder = new URL('../docs/reference/', import.meta.url)
const pages = [
  ['errors.md', errorsReference()],
  ['catalog.md', catalogReference(services)],
] as const

let stale = 0
for (const [name, text] of pages) {
  const file = new URL(name, folder)
  const present = await readFile(file, 'utf8').catch(() => '')
  if (present === text) continue
  if (process.argv.includes('--check')) {
    stale += 1
    process.stderr.write(
      `docs/reference/${name} is out of date: run "npx node tools/reference.ts"\n`,
    )
  } else {
    await writeFile(file, text)
  }
}
process.exitCode = stale === 0 ? 0 : 1
