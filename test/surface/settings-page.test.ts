import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { loadConfig } from '../../src/app/settings/config.ts'

const SETTINGS = readFileSync(join(import.meta.dirname, '../../docs/reference/settings.md'), 'utf8')

test('docs/reference/settings.md lists the settings and defaults of the configuration', () => {
  const cells = [...SETTINGS.matchAll(/^\| `([A-Z0-9_<>]+(?:`, `[A-Z0-9_]+)*)` \| (.*?) \|/gm)]
  const table = new Map(
    cells.flatMap((match) =>
      (match[1] ?? '')
        .split('`, `')
        .map(
          (name, at) =>
            [name, (match[2] ?? '').split(', ')[at]?.replaceAll('`', '') ?? ''] as const,
        ),
    ),
  )
  const source = globSync(
    join(import.meta.dirname, '../../src/app/settings/{config,*-settings}.ts'),
  )
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n')
  const settings = [...source.matchAll(/(?:read\.\w+\(\s*|environment\[\s*)'([A-Z0-9_]+)'/g)]
    .map((match) => match[1] ?? '')
    .filter((name) => name !== 'PATH')
  assert.deepEqual(
    settings.filter((name) => !table.has(name)),
    [],
    'settings that src/app reads have a row in docs/reference/settings.md',
  )
  assert.deepEqual(
    [...table.keys()].filter((name) => !settings.includes(name)),
    ['UPSTREAM_<LABEL>_KEY'],
    'rows in docs/reference/settings.md name settings that src/app reads',
  )
  const defaults = loadConfig({})
  const told = [
    'PORT',
    'HOST',
    'RATE_LIMIT_PER_MINUTE',
    'BROWSER_CONCURRENCY',
    'RESPECT_ROBOTS',
    'LOG_LEVEL',
  ].map((name) => table.get(name))
  assert.deepEqual(
    told,
    [
      defaults.port,
      defaults.host,
      defaults.rateLimitPerMinute,
      defaults.browserConcurrency,
      defaults.respectRobots,
      defaults.logLevel,
    ].map(String),
  )
  assert.ok(defaults.dataDir.endsWith(`/${table.get('DATA_DIR')}`))
})
