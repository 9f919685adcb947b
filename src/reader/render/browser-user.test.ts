import assert from 'node:assert/strict'
import { chmod, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { isRoot } from './browser-user-id.ts'
import { browserFolder } from './browser-user.ts'

describe('the folder for the unpacked browser', () => {
  it('is the given one, or one that other users can enter and only root can change', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tollgate-folder-'))
    try {
      const chosen = await browserFolder(folder)
      if (!isRoot()) return assert.equal(chosen, folder)
      assert.notEqual(chosen, folder)
      const { uid, mode } = await stat(chosen)
      assert.deepEqual([uid, mode & 0o777], [0, 0o755])
      await chmod(folder, 0o755)
      assert.equal(await browserFolder(folder), folder)
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  it('rejects when no folder can be created', async () => {
    await assert.rejects(browserFolder(join(import.meta.filename, 'below')), { code: 'ENOTDIR' })
  })
})
