import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StartError } from '../../errors/start-error.ts'
import { logRestarts } from './log-restarts.ts'

const refusal = (second: number, why: string) =>
  new StartError(
    `PostgreSQL did not start.\n2027-01-31 10:00:0${second}.347 UTC [2594${second}] FATAL:  could not write to file "pg_wal/xlogtemp.2594${second}": ${why}`,
  )

test('logs a failing restart once per reason, and again after a successful run', () => {
  const lines: unknown[] = []
  const { onLost, onFailure } = logRestarts({
    error: (first: unknown, words?: string) => void lines.push(words ?? first),
  })
  onLost()
  for (const second of [1, 2, 3]) onFailure(refusal(second, 'No space left on device'))
  for (const second of [4, 5]) onFailure(refusal(second, 'Input/output error'))
  onFailure(refusal(6, 'No space left on device'))
  onLost()
  onFailure(refusal(7, 'Input/output error'))
  const [lost, failed] = [
    'the built-in PostgreSQL ended; restarting it',
    'the built-in PostgreSQL could not be restarted',
  ]
  assert.deepEqual(lines, [lost, failed, failed, lost, failed])
})
