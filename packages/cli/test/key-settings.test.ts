import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keySettingFlags } from '../../../src/surfaces/cli/commands/key-flags.ts'
import clientCommands from '../commands.json' with { type: 'json' }
import { COMMANDS } from '../src/commands/index.ts'
import { KEY_SETTING_FLAGS } from '../src/commands/key-settings.ts'

test('keys have the same flags over HTTP as for the operator', () => {
  assert.deepEqual(
    Object.keys(KEY_SETTING_FLAGS).toSorted(),
    Object.keys(keySettingFlags).toSorted(),
  )
})

test('the launcher and the general help list every first word of a command', () => {
  const words = new Set(COMMANDS.map(({ name }) => name.split(' ')[0] ?? ''))
  assert.deepEqual(Object.keys(clientCommands).toSorted(), [...words].toSorted())
})
