import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { loadConfig } from './config.ts'
import { IN_HOUSE_PART_NAMES } from './in-house-parts.ts'
import { isPartEnabled } from './in-house-settings.ts'

test('enables the listed parts, no part, or with npm start every part', () => {
  const enabled = (list: string | undefined, isDefault: boolean) => {
    const { inHouse } = loadConfig({ IN_HOUSE: list })
    return IN_HOUSE_PART_NAMES.filter((part) => isPartEnabled(inHouse, part, isDefault))
  }
  assert.deepEqual(enabled('git', false), ['git'])
  assert.deepEqual(enabled('none', true), [])
  assert.deepEqual(enabled(undefined, true), IN_HOUSE_PART_NAMES)
  assert.deepEqual(enabled(undefined, false), [])
  assert.throws(() => loadConfig({ IN_HOUSE: 'gti' }), /IN_HOUSE.*git/)
})

test('documents every part with a row, a section and a word in the settings', () => {
  const page = readFileSync('docs/in-house.md', 'utf8')
  const settings = readFileSync('docs/reference/settings.md', 'utf8')
  const row = /^\| `IN_HOUSE` \|.*$/m.exec(settings)?.[0] ?? ''
  for (const part of IN_HOUSE_PART_NAMES) {
    assert.match(page, new RegExp(`^\\| \`${part}\` \\|`, 'm'))
    assert.match(page, new RegExp(`^## ${part}$`, 'm'))
    assert.match(row, new RegExp(`\`${part}\``))
  }
})
