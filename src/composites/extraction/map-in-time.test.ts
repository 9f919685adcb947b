import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { mapInTime } from './map-in-time.ts'

const aborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    const end = (): void => reject(signal.reason as Error)
    if (signal.aborted) end()
    else signal.addEventListener('abort', end, { once: true })
  })

describe('work within the time of a call', () => {
  it('keeps the results that exist when the time is over', async () => {
    const results = await mapInTime<number, number | 'late'>(
      { signal: new AbortController().signal, timeoutMs: 1_001, now: () => 0 },
      {
        items: [0, 1, 2],
        startedMs: 0,
        work: async (item, signal) => (item === 1 ? aborted(signal) : item),
        late: 'late',
      },
    )
    assert.deepEqual(results, [0, 'late', 2])
  })

  it('rejects with the reason of a caller who leaves', async () => {
    const left = new Error('left')
    await assert.rejects(
      mapInTime(
        { signal: AbortSignal.abort(left), timeoutMs: 60_000, now: () => 0 },
        { items: [0], startedMs: 0, work: async (_, signal) => aborted(signal), late: 1 },
      ),
      left,
    )
  })
})
