import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { cleanUp } from '../../test/harness/clean-up.ts'
import { serverLog } from './server-log.ts'

const folder = mkdtempSync(join(tmpdir(), 'tollgate-log-'))
cleanUp(() => rmSync(folder, { recursive: true, force: true }))

test('the log of the server stays within two files of the size it may have', () => {
  const path = join(folder, 'server.log')
  const say = serverLog(path, 10)
  for (const word of ['one two ', 'three ', 'four ', 'five ']) say(Buffer.from(word))
  assert.deepEqual(readdirSync(folder).toSorted(), ['server.log', 'server.log.1'])
  assert.deepEqual(
    [readFileSync(`${path}.1`, 'utf8'), readFileSync(path, 'utf8')],
    ['three ', 'four five '],
  )
})

test(
  'a disk that takes nothing more keeps nobody from going on',
  { skip: !existsSync('/dev/full') },
  () => {
    const write = serverLog('/dev/full')
    assert.doesNotThrow(() => write(Buffer.from('something')))
  },
)
