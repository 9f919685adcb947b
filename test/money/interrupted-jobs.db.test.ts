/** A worker dies before or after each thing that it does to the database while it works on a deep job: the job costs what it costs undisturbed. */
import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { test } from 'node:test'
import { runJob } from '../../src/calls/jobs/run-job.ts'
import { runCall } from '../../src/calls/run.ts'
import type { JobHandler, LocalHandler } from '../../src/catalog/vocabulary/handlers.ts'
import { onefindDeep } from '../../src/composites/onefind/onefind-deep.ts'
import type { ReaderDeps } from '../../src/composites/onescrape/accept-reading.ts'
import { createDomainMemory } from '../../src/composites/onescrape/domain-memory.ts'
import { createOnescrapeDeep } from '../../src/composites/onescrape/onescrape-deep.ts'
import { createOnescrape } from '../../src/composites/onescrape/onescrape.ts'
import { createOnesearchDeep } from '../../src/composites/onesearch/onesearch-deep.ts'
import { createOnesearch } from '../../src/composites/onesearch/onesearch.ts'
import type { Database } from '../../src/db/database.ts'
import { AppError } from '../../src/errors/app-error.ts'
import { LEASE_MS } from '../../src/jobs/job.ts'
import { createWorker, type Worker } from '../../src/jobs/worker.ts'
import { verifyLedger } from '../../src/ledger/verify.ts'
import { parsePublicId } from '../../src/lib/ids.ts'
import { dollars } from '../../src/lib/money.ts'
import { createPages } from '../../src/reader/create-pages.ts'
import { judgePage } from '../../src/reader/judge/judge.ts'
import { startSimulators } from '../../src/simulators/start.ts'
import { openCallBed } from '../harness/beds/calls.ts'
import { cleanUp } from '../harness/clean-up.ts'
import { createFailingSteps, type StepFailure } from '../harness/failing-process.ts'
import { sampleSteps } from '../harness/sample.ts'
import { reportFigure } from '../harness/figure.ts'

const simulators = await startSimulators({ now: Date.now })
cleanUp(() => simulators.close())
const pages = createPages({
  allowPrivateNetworks: [],
  ownPages: [],
  userAgent: 'tollgate-test',
  respectRobots: false,
  browserConcurrency: 1,
  extractionWorkers: 1,
  cacheFolder: tmpdir(),
})
cleanUp(() => pages.close())
// No state is stored: each run uses the same fallback chain as the first one.
const readers = (): ReaderDeps => ({
  judge: (page, url) => judgePage({ ...page, finalUrl: page.finalUrl ?? url }),
  extract: pages.extract,
  memory: createDomainMemory(),
})
const bed = await openCallBed({
  simulatorUrl: simulators.url,
  local: new Map<string, LocalHandler>([
    ['core.onesearch', createOnesearch()],
    ['core.onescrape', (input, tools) => createOnescrape(readers())(input, tools)],
  ]),
})
await bed.database.query(
  "select ledger_credit($1, $2, $3, 'adjustment', 'adjustments', $4, null, null)",
  [bed.clock(), bed.request('x', 'x', {}).id, bed.testCaller.walletId, dollars('10000')],
)
const handlers = new Map<string, JobHandler>([
  ['core.onefind-deep', onefindDeep],
  ['core.onescrape-deep', (input, tools) => createOnescrapeDeep(readers())(input, tools)],
  ['core.onesearch-deep', createOnesearchDeep()],
])

const troubles: unknown[] = []

function openWorker(database: Database, onError: (error: unknown) => void): Worker {
  return createWorker({
    database,
    now: bed.clock,
    concurrency: 1,
    run: (job, control) => runJob({ ...bed.calls, database }, handlers, job, control),
    onError: (_what, { error }) => onError(error),
  })
}

function hire(): Worker {
  const worker = openWorker(bed.database, (error) => troubles.push(error))
  cleanUp(() => worker.stop(0))
  return worker
}

/** One whose every statement may be the last. After the test its statements fail, so that it can be stopped. */
function hireDoomed({ step }: Pick<ReturnType<typeof createFailingSteps>, 'step'>): Worker {
  const { query, transaction, ...database } = bed.database
  const over = Promise.withResolvers<never>()
  const untilOver = <Result>(work: () => Promise<Result>): Promise<Result> =>
    Promise.race([step(work), over.promise])
  over.promise.catch(() => {})
  const worker = openWorker(
    {
      ...database,
      query: (...asked) => untilOver(() => query(...asked)) as never,
      transaction: (one) => untilOver(() => transaction(one)),
    },
    () => undefined,
  )
  cleanUp(async () => {
    over.reject(new AppError('internal'))
    await worker.stop(0).catch(() => undefined)
  })
  return worker
}

type Ended = {
  readonly status: string
  readonly attempt: number
  readonly charged_micros: bigint
  readonly result: unknown
}

/** A worker that finds a job's row locked by a statement of the dead one leaves it for its next beat. */
async function endOf(jobId: string, worker?: Worker): Promise<Ended> {
  for (;;) {
    const { rows } = await bed.database.query<Ended>(
      'select status, attempt, charged_micros, result from jobs where id = $1',
      [jobId],
    )
    const [job] = rows
    if (job?.status === 'succeeded' || job?.status === 'failed') return job
    await worker?.beat()
    await new Promise((turn) => setImmediate(turn))
  }
}

/** The job, whose first worker meets its fate; and whether the fate came before the job's end. */
async function work(
  action: string,
  body: object,
  fate: StepFailure,
): Promise<Ended & { readonly isOver: boolean }> {
  const { body: text } = await runCall(bed.calls, {
    ...bed.request('core', action, body),
    caller: bed.testCaller,
  })
  const jobId =
    parsePublicId('job', (JSON.parse(text) as { data: { job_id: string } }).data.job_id) ?? ''
  const { step, dead, hasCome } = createFailingSteps(fate)
  void hireDoomed({ step }).wake()
  await Promise.race([dead, endOf(jobId)])
  const isOver = !hasCome()
  bed.clock.advance(LEASE_MS + 1)
  return { ...(await endOf(jobId, isOver ? undefined : hire())), isOver }
}

const cheap = 'wall.semantic.render2.render.cheapunblock'
for (const [action, body] of [
  [
    'onescrape-deep',
    { urls: ['example.com', 'example.org', `${cheap}.sim.test`, 'wall.sim.test'] },
  ],
  [
    'onefind-deep',
    {
      rows: [
        'ana.example@example.com',
        'https://www.linkedin.com/in/ben-sample',
        'nobody@gmail.com',
      ],
    },
  ],
  ['onesearch-deep', { query: 'heat pumps in winter', read_pages: 1 }],
] as const) {
  test(`core/${action} costs the same wherever its worker dies`, async (context) => {
    const undisturbed = await work(action, body, {
      how: 'killed',
      isDone: false,
      atStep: Number.POSITIVE_INFINITY,
    })
    assert.equal(undisturbed.status, 'succeeded')
    assert.ok(undisturbed.charged_micros > 0n)
    const { first, stride } = sampleSteps(4)
    let [deaths, dearest] = [0, 0]
    for (const isDone of [false, true]) {
      for (let atStep = 1 + first; ; atStep += stride) {
        const job = await work(action, body, { how: 'killed', isDone, atStep })
        if (job.isOver) break
        deaths += 1
        dearest = Math.max(dearest, Number(job.charged_micros) / Number(undisturbed.charged_micros))
        assert.deepEqual(
          [job.status, job.charged_micros],
          ['succeeded', undisturbed.charged_micros],
          `${isDone ? 'after' : 'before'} step ${atStep}`,
        )
      }
    }
    reportFigure(context, {
      what: `highest price of core/${action} after its worker is killed (at ${deaths} points), relative to the undisturbed price`,
      measured: dearest.toFixed(2),
      must: '1.00',
      isMet: dearest === 1,
    })
    assert.ok(deaths * stride >= 10)
    assert.deepEqual(troubles, [])
    assert.deepEqual((await verifyLedger(bed.database)).findings, [])
  })
}
