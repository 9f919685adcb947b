import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { filesNamed, filesOfFire, filesOfTier } from './files.ts'

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

test('assigns every test file to a tier, and only sweeps to both', () => {
  const [quick, fire] = [filesOfTier(root, 'test').names, filesOfTier(root, 'fire').names]
  const all = filesNamed(root, ['src', 'test', 'tools', 'packages', 'bench']).names
  assert.deepEqual([...new Set([...quick, ...fire])].toSorted(), all.toSorted())
  const inBoth = quick.filter((name) => fire.includes(name))
  assert.ok(inBoth.length > 0)
  for (const name of inBoth)
    assert.match(readFileSync(join(root, name), 'utf8'), /sample(Of|Steps)\(/, name)
})

test('selects the files of the fire tier by words in their paths', () => {
  assert.deepEqual(filesOfFire(root, ['fire/tree']).names, ['test/fire/tree.db.test.ts'])
  assert.deepEqual(filesOfFire(root, []), filesOfTier(root, 'fire'))
  assert.throws(() => filesOfFire(root, ['migrations']), /No file .* migrations/)
})

test('runs every test of the fire tier in its own process, except sweeps', () => {
  const { names, inOwnProcess } = filesOfTier(root, 'fire')
  const quick = filesOfTier(root, 'test').names
  assert.deepEqual(
    names.filter((name) => !quick.includes(name)),
    [...inOwnProcess],
  )
})
