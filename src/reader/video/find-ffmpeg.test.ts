import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { AppError } from '../../errors/app-error.ts'
import { findFfmpeg } from './find-ffmpeg.ts'

test("returns the configured ffmpeg, else the system's first, else the packaged one", async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-ffmpeg-'))
  try {
    const own = join(folder, 'ffmpeg')
    await writeFile(own, '#!/bin/sh\n', { mode: 0o755 })
    assert.equal(await findFfmpeg({ path: null, searchPath: `/nowhere:${folder}` }), own)
    assert.equal(await findFfmpeg({ path: own, searchPath: '/usr/bin' }), own)
    const packaged = await findFfmpeg({ path: null, searchPath: '/nowhere' }).catch(
      (error: unknown) => error,
    )
    assert.ok(packaged instanceof AppError || /@ffmpeg-installer/.test(String(packaged)))
    await assert.rejects(findFfmpeg({ path: '/nowhere/ffmpeg', searchPath: folder }), AppError)
  } finally {
    await rm(folder, { recursive: true })
  }
})
