/**
 * Reports connectors that send what the vendor's installed SDK marks as `@deprecated`, or no longer
 * has, and models that an SDK marks as deprecated. An announced end allows them: the doctor shows its
 * date.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ANNOUNCED_ENDS } from '../src/app/notices/announced-ends.ts'
import { isUsed } from '../src/app/notices/find-ends.ts'
import { DEFAULT_TIERS } from '../src/llm/lists/tiers.ts'
import { services } from '../src/vendors/index.ts'
import { findDeprecatedModels, findEnded } from './vendor-sdks/find-ended.ts'
import { MIRRORED_METHODS } from './vendor-sdks/mirrored-methods.ts'

const MODELS_FILE = '@anthropic-ai/sdk/resources/messages/messages.js'
const modules = join(import.meta.dirname, '../node_modules')

function read(file: string): string | null {
  const path = join(modules, file)
  return existsSync(path) ? readFileSync(path, 'utf8') : null
}

const ended = findEnded(MIRRORED_METHODS, read)
const allowed = new Set(ANNOUNCED_ENDS.flatMap(({ sdkMethods = [] }) => sdkMethods))
const found = ended.filter(({ method }) => !allowed.has(method))
const needless = [...allowed].filter((name) => !ended.some(({ method }) => method === name))
for (const { method, file, actions, deprecated } of found)
  process.stdout.write(
    `${actions.join(', ')}: ${method} of ${file} is ${deprecated === null ? 'missing' : `deprecated: "${deprecated}"`}. Move the connector to its successor, or add the end to src/app/notices/announced-ends.ts\n`,
  )
for (const method of needless)
  process.stdout.write(
    `src/app/notices/announced-ends.ts allows ${method}, which no SDK deprecates. Remove it from sdkMethods\n`,
  )
const announced = new Set(ANNOUNCED_ENDS.map(({ ends }) => ends))
const sources = { services, tiers: DEFAULT_TIERS, upstreams: new Map() }
const models = findDeprecatedModels(read(MODELS_FILE) ?? '').filter(
  ({ name }) => !announced.has(name) && isUsed({ kind: 'model', name }, sources),
)
for (const { name, date } of models)
  process.stdout.write(
    `${name} ends on ${date} by ${MODELS_FILE}. Add it to src/app/notices/announced-ends.ts\n`,
  )
process.exit(found.length + needless.length + models.length === 0 ? 0 : 1)
