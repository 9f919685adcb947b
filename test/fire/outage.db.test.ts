import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { connectDatabase } from '../../src/db/database.ts'
import { startEmbeddedPostgres } from '../../src/db/embedded-postgres.ts'
import { cleanUp } from '../harness/clean-up.ts'
import { startAgain } from '../harness/beds/start-again.ts'
import { openFireBed } from './bed.ts'
import { tally } from './client.ts'
import { createJournal } from './journal.ts'
import { startLoad } from './load.ts'

const folder = mkdtempSync(join(tmpdir(), 'tollgate-outage-'))
let server = await startEmbeddedPostgres({ folder })
const database = connectDatabase(server.address)
cleanUp(async () => {
  await database.close()
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})
const bed = await openFireBed({ database, target: server.address })
const gateways = await bed.startMany(2)

const isAnswer = ({ status }: { status: number }): boolean => status === 200
const isRefusal = ({ status }: { status: number }): boolean => status >= 500

for (const [what, takeAway] of [
  ['stops', (): Promise<void> => server.stop()],
  [
    'is killed',
    async (): Promise<void> =>
      void process.kill(
        Number.parseInt(readFileSync(join(folder, 'data', 'postmaster.pid'), 'utf8'), 10),
        'SIGKILL',
      ),
  ],
] as const) {
  test(`PostgreSQL ${what} under load: callers get an answer or 503, and no charge is wrong`, async () => {
    const account = await bed.account('1000000')
    const journal = createJournal()
    const load = startLoad({
      urls: () => gateways.map(({ url }) => url),
      key: account.key,
      journal,
      callers: 32,
    })
    await load.answered(300, isAnswer)
    const refused = load.answered(100, isRefusal)
    await takeAway()
    await refused
    server = await startAgain(folder)
    await load.answered(300, isAnswer)
    await load.stop()
    await bed.passDeadlines()
    await bed.nothingHeld()
    await load.finish(gateways[0]?.url ?? '')

    const seen = Object.keys(tally(journal.answers)).sort()
    assert.deepEqual(
      seen.filter((outcome) => outcome !== 'idempotency_in_progress 409'),
      ['200', 'overloaded 503'],
      JSON.stringify(tally(journal.answers)),
    )
    for (const { status, headers } of journal.answers)
      if (status === 503) assert.equal(headers['retry-after'], '1')
    assert.deepEqual(journal.compare(bed.vendor, await bed.charges()), [])
    await bed.assertSound()
  })
}
