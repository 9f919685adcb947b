import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { filesNamed, filesOfTier } from './files.ts'

const root = join(import.meta.dirname, '../..')

test('expands a folder to all tests in it and passes file names through', () => {
  const { names } = filesNamed(root, ['src/ledger/'])
  assert.ok(
    names.includes('src/ledger/windows.test.ts') &&
      names.includes('src/ledger/hold.db.test.ts') &&
      names.every((name) => name.endsWith('.test.ts')),
  )
  assert.deepEqual(filesNamed(root, ['src/ledger/windows.test.ts']).names, [
    'src/ledger/windows.test.ts',
  ])
})

test('rejects a folder without tests', () => {
  assert.throws(() => filesNamed(root, ['migrations']), /no tests in migrations/)
})

test('assigns every test file to exactly one tier', () => {
  const [quick, fire] = [filesOfTier(root, 'test'), filesOfTier(root, 'fire')]
  const all = filesNamed(root, ['src', 'test', 'tools']).names
  assert.deepEqual([...quick.names, ...fire.names].toSorted(), all.toSorted())
  assert.equal(new Set([...quick.names, ...fire.names]).size, all.length)
})

test('runs every test of the fire tier in a process of its own', () => {
  const { names, inOwnProcess } = filesOfTier(root, 'fire')
  assert.ok(names.length > 0)
  assert.deepEqual([...inOwnProcess], names)
})
