import { isTest, type Rule, type SourceFile, type Use } from './source.ts'

const RECORDS =
  /^src\/(?:vendors|composites)\/(?:.+\/)?record\.ts$|^src\/vendors\/[^/]+\/(?!simulator)[^/]+\.ts$/
const CLOCKS = new Set(['Date.now', 'performance.now', 'process.hrtime'])
const TIMERS = new Set(['setTimeout', 'setInterval'])
const AMBIENT_MODULES = [
  'node:os',
  'node:process',
  'node:fs',
  'node:fs/promises',
  'node:perf_hooks',
]

/** A record depends on its input alone: it reads no clock, no environment and no file. */
export const vendorRecords: Rule = {
  name: 'vendor records',
  find: (files) => files.filter(({ name }) => RECORDS.test(name) && !isTest(name)).flatMap(findIn),
}

function findIn({ name, uses, imports }: SourceFile): readonly string[] {
  const reads = uses.filter(readsAmbient).map((use) => `${name}:${use.line}: ${use.name}`)
  const modules = imports
    .filter(
      ({ target, names }) => AMBIENT_MODULES.includes(target) && names.some((one) => !one.isType),
    )
    .map(({ target, line }) => `${name}:${line}: imports ${target}`)
  return [...reads, ...modules]
}

function readsAmbient({ name, kind, argumentCount }: Use): boolean {
  if (kind === 'new') return name === 'Date' && argumentCount === 0
  if (kind === 'call') return TIMERS.has(name)
  return CLOCKS.has(name) || name === 'process.env'
}
