import assert from 'node:assert/strict'
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Logger } from 'pino'
import { cleanUp } from '../../../test/harness/clean-up.ts'
import { AppError } from '../../errors/app-error.ts'
import { openLog } from './open-log.ts'

const folder = mkdtempSync(join(tmpdir(), 'tollgate-log-'))
cleanUp(() => rmSync(folder, { recursive: true, force: true }))

function lineOf(write: (logger: Logger) => void): string {
  const path = join(folder, 'log')
  const file = openSync(path, 'w')
  write(openLog({ logLevel: 'info' }, { file }))
  closeSync(file)
  return readFileSync(path, 'utf8')
}

test('a log line is one JSON object without any request key', () => {
  const line = lineOf((logger) =>
    logger.info({ headers: { authorization: 'Bearer tg_live_secret' } }, 'seen'),
  )
  assert.deepEqual(
    [
      (JSON.parse(line) as { msg: string }).msg,
      line.includes('tg_live_secret'),
      line.endsWith('\n'),
    ],
    ['seen', false, true],
  )
})

test('logs an outage as one short line and other errors with a stack', () => {
  const away = new AppError('overloaded', 'The database cannot be reached.', {
    cause: new Error('connect ENOENT'),
  })
  const line = lineOf((logger) => logger.error({ err: away }, 'jobs could not be claimed'))
  assert.deepEqual(
    [line.includes('connect ENOENT'), line.includes('    at '), line.length < 300],
    [true, false, true],
    line,
  )
  assert.ok(
    lineOf((logger) => logger.error({ err: new TypeError('none') }, 'failed')).includes('    at '),
  )
})

test(
  'a log that cannot be written does not end the process',
  { skip: !existsSync('/dev/full') },
  () => {
    const full = openSync('/dev/full', 'w')
    assert.doesNotThrow(() => openLog({ logLevel: 'info' }, { file: full }).info('lost'))
    closeSync(full)
    assert.doesNotThrow(() => openLog({ logLevel: 'info' }, { file: full }).info('lost too'))
  },
)
