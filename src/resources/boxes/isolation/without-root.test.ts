import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { it } from 'node:test'

const PRINT = fileURLToPath(new URL('../testing/print-isolations.ts', import.meta.url))
const USER = 64_001
const env = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', TMPDIR: tmpdir() }

/** The output of a command of a user without rights. Throws if it fails. */
function runWithoutRoot(...command: readonly string[]): string {
  const user = [`--reuid=${USER}`, `--regid=${USER}`, '--clear-groups', '--']
  return execFileSync('setpriv', [...user, ...command], { env, encoding: 'utf8', stdio: 'pipe' })
}

function findSkip(): false | string {
  if (process.getuid?.() !== 0) return 'needs root, to become another user'
  try {
    runWithoutRoot('cat', PRINT)
    runWithoutRoot('unshare', '--user', '--map-root-user', '--net', 'true')
    return false
  } catch {
    return 'needs user namespaces and a checkout that all users can read'
  }
}

it('isolates boxes by namespaces without root', { skip: findSkip() }, () => {
  const tried = JSON.parse(runWithoutRoot(process.execPath, PRINT)) as [string, string | null][]
  assert.deepEqual(
    tried.find(([name]) => name === 'namespaces'),
    ['namespaces', null],
  )
})
