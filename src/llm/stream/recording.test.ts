import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SharedRoom } from '../../lib/fairness/shared-room.ts'
import { Recording } from './recording.ts'

const events = (bytes: number): Buffer => Buffer.alloc(bytes, 'x')

test('a recording for which there is no more memory says so in its replay, and gives back what it had', () => {
  const room = new SharedRoom(100, 'recorded answers')
  const [one, other] = [new Recording(room, 'a'), new Recording(room, 'b')]
  one.add(events(80))
  other.add(events(30))
  other.add(events(5))
  assert.match(other.textWith('end'), /^data: \{"error".*too long to be stored.*\[DONE\]\n\n$/s)
  other.end()
  assert.equal(one.textWith('end'), `${'x'.repeat(80)}end`)
  one.end()
  const last = new Recording(room, 'b')
  last.add(events(100))
  assert.equal(last.textWith('end'), `${'x'.repeat(100)}end`)
})
