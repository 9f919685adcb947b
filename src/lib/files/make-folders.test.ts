import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, it } from 'node:test'
import { makeFolders } from './make-folders.ts'

let home = ''
before(() => (home = mkdtempSync(join(tmpdir(), 'tollgate-folders-'))))
after(() => rmSync(home, { recursive: true, force: true }))

const refused = (code: string) => (error: unknown) => (error as NodeJS.ErrnoException).code === code

it('creates missing folders concurrently for this user and returns the topmost', async () => {
  const path = join(home, 'a/b/c')
  assert.equal(await makeFolders(path), join(home, 'a'))
  assert.equal(await makeFolders(path), undefined)
  assert.equal(statSync(path).mode & 0o777, 0o700)
  for (let round = 0; round < 50; round += 1) {
    const uppermost = join(home, `round${round}`)
    const many = await Promise.all(
      Array.from({ length: 20 }, () => makeFolders(join(uppermost, 'e/f'))),
    )
    assert.ok(many.includes(uppermost))
  }
})

it('rejects a path that cannot be a folder instead of looping', async () => {
  writeFileSync(join(home, 'file'), '')
  await assert.rejects(makeFolders(join(home, 'file')), refused('EEXIST'))
  await assert.rejects(makeFolders(join(home, 'file/a/b')), refused('ENOTDIR'))
  for (const path of ['/proc/tollgate', '/proc/tollgate/a/b'])
    await assert.rejects(makeFolders(path), refused('ENOENT'))
})
