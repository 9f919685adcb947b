/** Runs the tests of packages/python against a gateway process. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { writeClientTypes } from '../../tools/reference/client-types.ts'
import { startDroppingProxy } from '../fire/dropping-proxy.ts'
import { openFireBed } from '../fire/bed.ts'
import { runShell } from '../harness/shell.ts'

const PACKAGE = 'packages/python'
const isRecent = 'import sys; sys.exit(sys.version_info < (3, 9))'
const skip =
  spawnSync('python3', ['-c', isRecent]).status === 0 ? false : 'needs Python 3.9 or later'

/** Runs all tests of a folder. Every one must run: a skipped test is a failure. */
async function runPython(folder: string, environment: Readonly<Record<string, string>>) {
  const tests = join(PACKAGE, 'tests')
  const { code, err } = await runShell(
    `python3 -B -W error -m unittest discover -s ${join(tests, folder)}`,
    { PYTHONPATH: `${join(PACKAGE, 'src')}:${tests}`, ...environment },
  )
  assert.equal(code, 0, err)
  assert.match(err, /^Ran [1-9]\d* tests? in .*\n\nOK\n$/m)
}

describe('the Python SDK', { skip }, () => {
  before(writeClientTypes)

  it('passes its own tests', () => runPython('', {}))
})

describe('the Python SDK with a gateway', { skip }, () => {
  let environment: Readonly<Record<string, string>>
  before(async () => {
    const bed = await openFireBed()
    const [account, gateway] = await Promise.all([
      bed.account('1000'),
      bed.start({ ALLOW_PRIVATE_NETWORKS: '127.0.0.0/8' }),
    ])
    // Every second answer is lost, the first one among them.
    const lossy = await startDroppingProxy([gateway.url], (answer) => answer % 2 === 0)
    environment = {
      TOLLGATE_URL: gateway.url,
      TOLLGATE_KEY: account.key,
      TOLLGATE_TEST_KEY: account.testKey,
      TOLLGATE_LOSSY_URL: lossy.url,
    }
  })

  it('passes its tests of calls, files, events, jobs and models', () =>
    runPython('gateway', environment))
})

it('has no other test folder', () => {
  const folders = globSync(join(PACKAGE, 'tests/**/test_*.py')).map((file) => join(file, '..'))
  assert.deepEqual(
    [...new Set(folders)].toSorted(),
    ['tests', 'tests/gateway'].map((name) => join(PACKAGE, name)),
  )
})
