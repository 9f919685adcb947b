import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { cleanUp } from '../../../../test/harness/clean-up.ts'
import { UsageError, type Tools } from '../command.ts'
import { breakerReplay } from './breaker-replay.ts'

const folder = mkdtempSync(join(tmpdir(), 'tollgate-replay-'))
cleanUp(() => rmSync(folder, { recursive: true, force: true }))

const START_MS = Date.UTC(2026, 5, 1)
const at = (seconds: number) => new Date(START_MS + seconds * 1_000).toISOString()

async function replay(lines: readonly object[]) {
  const file = join(folder, 'calls.ndjson')
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  return breakerReplay.run({ flags: { file }, operand: '' }, {} as Tools)
}

// The shape of published incidents: an agent that searches with another filter each time and never
// finds anything, one that repeats a failing call, and one that repeats a call with the same answer.
const INCIDENTS = {
  'every search with another filter is empty': (place: number) => ({
    params: { filter: place },
    outcome: 'empty',
  }),
  'the same call fails again and again': () => ({ params: { id: 7 }, outcome: 'failed' }),
  'the same call gives the same answer': () => ({
    params: { id: 7 },
    outcome: 'ok',
    answer: { row: 1 },
  }),
}

for (const [name, callOf] of Object.entries(INCIDENTS))
  test(`saves at least 95 % of an incident where ${name}`, async () => {
    const { data } = await replay(
      Array.from({ length: 277 }, (_, place) => ({
        at: at(place * 20),
        key: 'agent',
        action: 'crm/search',
        cost_micros: 1_800_000,
        ...callOf(place),
      })),
    )
    const { spent_micros: spent, saved_micros: saved } = data as Record<string, number>
    assert.ok((saved ?? 0) >= 0.95 * (spent ?? Infinity), `${saved} of ${spent}`)
  })

test('advises nothing on a day of different calls and a monitor every five minutes', async () => {
  const { data, text } = await replay(
    Array.from({ length: 288 }, (_, place) => [
      { at: at(place * 300), key: 'agent', action: 'semantic/search', params: { query: place } },
      { at: at(place * 300 + 1), key: 'agent', action: 'core/onescrape', params: { urls: ['x'] } },
    ]).flat(),
  )
  assert.deepEqual((data as { advice: unknown[] }).advice, [])
  assert.match(text, /No rule applied/)
})

test('reads the history as the API exports it, and names lines that it cannot read', async () => {
  const failed = (place: number) => ({
    created_at: at(place),
    agent_id: 'agk_1',
    service: 'semantic',
    action: 'search',
    status: 'released',
    error_code: 'upstream_error',
    charged_micros: 0,
  })
  const { text } = await replay(Array.from({ length: 12 }, (_, place) => failed(place)))
  assert.match(text, /agk_1\s+12\s+fruitless_calls/)
  await assert.rejects(replay([failed(2), failed(1)]), /Line 2 is earlier/)
  await assert.rejects(replay([{ action: 'a/b' }]), UsageError)
})
