import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SharedCapacity } from '../../lib/fairness/shared-capacity.ts'
import { Recording } from './recording.ts'

const writeFailure = ({ message }: Error): string => `failed: ${message}`
const events = (bytes: number): Buffer => Buffer.alloc(bytes, 'x')

test('reports a truncated recording in its replay, and releases its memory', () => {
  const room = new SharedCapacity(100, 'recorded answers')
  const [one, other] = [new Recording(room, 'a'), new Recording(room, 'b')]
  one.add(events(80))
  other.add(events(30))
  other.add(events(5))
  assert.match(other.textWith('end', writeFailure), /^failed: .*too long to be stored/)
  other.end()
  assert.equal(one.textWith('end', writeFailure), `${'x'.repeat(80)}end`)
  one.end()
  const last = new Recording(room, 'b')
  last.add(events(100))
  assert.equal(last.textWith('end', writeFailure), `${'x'.repeat(100)}end`)
})
