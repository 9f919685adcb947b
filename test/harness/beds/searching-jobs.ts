/** Jobs that search, over the bed of `jobs.ts`. Before each test no job is open, the vendor finds one result, and jobs run `search`. */
import assert from 'node:assert/strict'
import { beforeEach } from 'node:test'
import type { JobHandler } from '../../../src/catalog/vocabulary/handlers.ts'
import { cancelJob } from '../../../src/jobs/cancel.ts'
import { verifyLedger } from '../../../src/ledger/verify.ts'
import type { Id } from '../../../src/lib/ids.ts'
import { openJobBed, type JobBed } from './jobs.ts'

export const CENT = 10_000n
export const FOUND = {
  requestId: 'r',
  results: [{ id: 'https://a.example/', url: 'https://a.example/', title: 'A' }],
}

export type SearchingBed = JobBed & {
  /** The balance of the account when the test began. */
  balanceBefore(): bigint
  /** The vendor's requests since then. */
  asked(): number
  assertSound(): Promise<void>
}

/** Runs the searches of the job's input concurrently; two by default. */
export const search: JobHandler = async (input, tools) => {
  const count = Math.max(2, Number(input['seed']))
  const found = await Promise.all(
    Array.from({ length: count }, (_, place) =>
      tools.invoke('semantic', 'search', { query: `thing ${place}` }),
    ),
  )
  return {
    kind: 'done',
    data: { skipped: found.map(({ hop }) => hop.skipped ?? null) },
    actual: tools.budget.spent(),
  }
}

/** Call it once, at the top of a test file. */
export async function openSearchingBed(): Promise<SearchingBed> {
  const bed = await openJobBed()
  let balanceBefore = 0n
  let askedBefore = 0

  beforeEach(async () => {
    const { rows } = await bed.database.query<{ id: Id }>(
      "update jobs set status = 'queued', worker = null, lease_until_ms = null where status in ('queued', 'running') returning id",
    )
    for (const { id } of rows) await cancelJob(bed.database, id, bed.clock())
    bed.vendor.answerWith(() => ({ body: FOUND }))
    bed.handleWith(search)
    balanceBefore = (await bed.balance()).balance
    askedBefore = bed.vendor.requests.length
  })

  return {
    ...bed,
    balanceBefore: () => balanceBefore,
    asked: () => bed.vendor.requests.length - askedBefore,
    async assertSound() {
      assert.deepEqual((await verifyLedger(bed.database)).findings, [])
    },
  }
}
