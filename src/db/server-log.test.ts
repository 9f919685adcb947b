import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { cleanUp } from '../../test/harness/clean-up.ts'
import { createServerLog } from './server-log.ts'

const folder = mkdtempSync(join(tmpdir(), 'tollgate-log-'))
cleanUp(() => rmSync(folder, { recursive: true, force: true }))

test("keeps the server's log within two files of the maximum size", () => {
  const path = join(folder, 'server.log')
  const say = createServerLog(path, 10)
  for (const word of ['one two ', 'three ', 'four ', 'five ']) say(Buffer.from(word))
  assert.deepEqual(readdirSync(folder).toSorted(), ['server.log', 'server.log.1'])
  assert.deepEqual(
    [readFileSync(`${path}.1`, 'utf8'), readFileSync(path, 'utf8')],
    ['three ', 'four five '],
  )
})

test('a full disk does not stop the server', { skip: !existsSync('/dev/full') }, () => {
  const write = createServerLog('/dev/full')
  assert.doesNotThrow(() => write(Buffer.from('something')))
})
