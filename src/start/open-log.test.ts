import assert from 'node:assert/strict'
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { cleanUp } from '../../test/harness/clean-up.ts'
import { openLog } from './open-log.ts'

test('a line of the log is one JSON object, and holds no key that came with a request', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-log-'))
  cleanUp(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'log')
  const file = openSync(path, 'w')
  openLog({ logLevel: 'info' }, file).info({ headers: { authorization: 'Bearer tg_live_secret' } }, 'seen')
  closeSync(file)
  const line = readFileSync(path, 'utf8')
  assert.deepEqual([(JSON.parse(line) as { msg: string }).msg, line.includes('tg_live_secret'), line.endsWith('\n')], ['seen', false, true])
})

test('a log that nobody takes ends no process', { skip: !existsSync('/dev/full') }, () => {
  const full = openSync('/dev/full', 'w')
  openLog({ logLevel: 'info' }, full).info('lost')
  closeSync(full)
  openLog({ logLevel: 'info' }, full).info('lost too')
})
