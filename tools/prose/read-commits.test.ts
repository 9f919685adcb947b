import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { subjectsSince } from './read-commits.ts'

const folder = mkdtempSync(join(tmpdir(), 'tollgate-commits-'))
const [repository, clone] = [join(folder, 'repository'), join(folder, 'clone')]
after(() => rmSync(folder, { recursive: true }))

const AUTHOR = ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-c', 'commit.gpgsign=false']
const git = (root: string, ...args: readonly string[]): string =>
  execFileSync('git', [...AUTHOR, ...args], { cwd: root, stdio: 'pipe', encoding: 'utf8' })
const commit = (subject: string, file: string): void => {
  writeFileSync(join(repository, file), subject)
  git(repository, 'add', '.')
  git(repository, 'commit', '--quiet', '--message', subject)
}
const subjects = (root: string): readonly string[] =>
  subjectsSince(root, 'check.ts')
    .map(({ subject }) => subject)
    .toSorted()

execFileSync('git', ['init', '--quiet', repository])
commit('Before', 'a.ts')

test('reads no commit where the file was never added', () => {
  assert.deepEqual(subjects(repository), [])
})

test('reads the commits after the one that added the file, and no merges', () => {
  commit('Add the check', 'check.ts')
  commit('Change the check', 'check.ts')
  git(repository, 'checkout', '--quiet', '-b', 'side')
  commit('Change a', 'a.ts')
  git(repository, 'checkout', '--quiet', '-')
  git(repository, 'merge', '--quiet', '--no-ff', '--message', 'Merge side', 'side')
  assert.deepEqual(subjects(repository), ['Change a', 'Change the check'])
})

test('reads the commits that a shallow clone has after its oldest', () => {
  commit('Change b', 'b.ts')
  git(folder, 'clone', '--quiet', '--depth', '2', `file://${repository}`, clone)
  assert.deepEqual(subjects(clone), ['Change b'])
})

test('reads no commit outside a repository', () => {
  assert.deepEqual(subjects(folder), [])
})
