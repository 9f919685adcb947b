/**
 * Raises the version in the manifest of every folder of SQL functions whose files have changed.
 * `--check` reports them instead. `migrate` needs the version to recognize newer databases.
 */
import { writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { SCHEMA } from '../src/app/wiring/schema.ts'
import { readManifest, readSqlModule } from '../src/db/sql-module.ts'

const isCheck = process.argv.includes('--check')
for (const folder of SCHEMA.modules) {
  const manifest = readManifest(folder)
  const { checksum } = readSqlModule(folder)
  if (manifest.checksum === checksum) continue
  const path = relative(process.cwd(), join(folder, 'manifest.json'))
  if (isCheck) {
    process.stdout.write(`${path} is outdated: run "npx node tools/sql-manifests.ts".\n`)
    process.exitCode = 1
    continue
  }
  const raised = { ...manifest, version: manifest.version + 1, checksum }
  writeFileSync(join(folder, 'manifest.json'), `${JSON.stringify(raised, null, 2)}\n`)
  process.stdout.write(`${path}: version ${raised.version}\n`)
}
