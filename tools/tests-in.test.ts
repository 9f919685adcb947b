import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { testsIn } from './tests-in.ts'

const root = join(import.meta.dirname, '..')

test('a folder stands for all tests in it, a file and anything else for itself', () => {
  const tests = testsIn(root, 'src/ledger/')
  assert.ok(
    tests.includes('src/ledger/windows.test.ts') &&
      tests.includes('src/ledger/hold.db.test.ts') &&
      tests.every((name) => name.endsWith('.test.ts')),
  )
  assert.deepEqual(
    [testsIn(root, 'src/ledger/windows.test.ts'), testsIn(root, '--test-only')],
    [['src/ledger/windows.test.ts'], ['--test-only']],
  )
  assert.throws(() => testsIn(root, 'migrations'), /no tests in migrations/)
})
