/** Steps that are the same for every client. */
import { expect, expectStatus, type Bed, type Driver } from './driver.ts'

/** Asks the question with these headers, and returns the answer or its text. */
export type Ask = (bed: Bed, headers?: Record<string, string>) => Promise<unknown>

/** The refusals of a key without credit and of a limited rate, and the replay of a paid answer. */
export function moneySteps(ask: Ask): Pick<Driver['steps'], '402' | '429' | 'replay'> {
  return {
    '402': (bed) => expectStatus(402, () => ask(bed)),
    '429': (bed) => expectStatus(429, () => ask(bed)),
    replay: async (bed) => {
      const headers = { 'Idempotency-Key': 'a-repeated-question' }
      const [first, second] = [await ask(bed, headers), await ask(bed, headers)]
      expect(JSON.stringify(first) === JSON.stringify(second), 'the same answer', second)
    },
  }
}

const PARTS_BEFORE_ABORT = 20

/** Reads parts of an endless answer, then aborts. An error is expected only after that. */
export async function abortWhileReading(
  parts: AsyncIterable<unknown>,
  abort: () => void,
): Promise<void> {
  let count = 0
  try {
    for await (const _ of parts) if (++count === PARTS_BEFORE_ABORT) abort()
  } catch (error) {
    expect(count >= PARTS_BEFORE_ABORT, 'no error before the abort', String(error))
  }
  expect(count >= PARTS_BEFORE_ABORT, `${PARTS_BEFORE_ABORT} parts before the abort`, count)
}
