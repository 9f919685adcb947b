import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StartError } from '../../errors/start-error.ts'
import { tellRestarts } from './tell-restarts.ts'

const refusal = (second: number, why: string) =>
  new StartError(
    `PostgreSQL did not start.\n2027-01-31 10:00:0${second}.347 UTC [2594${second}] FATAL:  could not write to file "pg_wal/xlogtemp.2594${second}": ${why}`,
  )

test('a built-in PostgreSQL that cannot be started again is told once for each reason, however often it is tried, and anew after it ran', () => {
  const lines: unknown[] = []
  const { onLost, onFailure } = tellRestarts({
    error: (first: unknown, words?: string) => void lines.push(words ?? first),
  })
  onLost()
  for (const second of [1, 2, 3]) onFailure(refusal(second, 'No space left on device'))
  for (const second of [4, 5]) onFailure(refusal(second, 'Input/output error'))
  onFailure(refusal(6, 'No space left on device'))
  onLost()
  onFailure(refusal(7, 'Input/output error'))
  const [lost, failed] = [
    'the built-in PostgreSQL ended; it is started again',
    'the built-in PostgreSQL could not be started again',
  ]
  assert.deepEqual(lines, [lost, failed, failed, lost, failed])
})
