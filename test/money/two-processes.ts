/** Two processes of a gateway on one database, with clocks apart, and one account with three keys that both serve. */
import assert from 'node:assert/strict'
import { runJob } from '../../src/calls/jobs/run-job.ts'
import type { Calls } from '../../src/calls/call.ts'
import type { Selling } from '../../src/calls/selling/sell-call.ts'
import { services } from '../../src/vendors/index.ts'
import { connectDatabase } from '../../src/db/database.ts'
import { createWorker, type Worker } from '../../src/jobs/worker.ts'
import type { Caller } from '../../src/keys/caller.ts'
import { createLedger, type Ledger } from '../../src/ledger/ledger.ts'
import type { Clock } from '../../src/lib/clock.ts'
import type { Id } from '../../src/lib/ids.ts'
import { createMeteredSessions } from '../../src/resources/sessions/metered-sessions.ts'
import type { SessionDriver } from '../../src/resources/sessions/session-driver.ts'
import type { SessionDeps } from '../../src/resources/sessions/session-deps.ts'
import { openAppBed, type AppBed } from '../harness/beds/app.ts'
import { withSessions } from '../harness/beds/calls.ts'
import { cleanUp } from '../harness/clean-up.ts'
import { search } from '../harness/beds/searching-jobs.ts'
import { createStandIn } from '../harness/vendors/stand-in-box.ts'
import type { VendorReply } from '../harness/vendors/vendor.ts'
import { work } from '../harness/beds/work-service.ts'

type Process = {
  readonly calls: Calls
  readonly sessions: SessionDeps
  readonly driver: SessionDriver
  readonly worker: Worker
}

export type TwoProcesses = AppBed & {
  /** The first process also serves HTTP; the second one's clock differs by `skew`. */
  readonly processes: readonly [Process, Process]
  skew(ms: number): void
  /** The ledger of a third, whose clock runs so far ahead that it takes calls and jobs in progress for dead. */
  readonly hasty: Ledger
  readonly account: { readonly id: Id; readonly walletId: number }
  /** The primary key and two keys with a limit, as created; later changes are not reflected. */
  readonly callers: readonly Caller[]
  /** Their secrets, of which the last may be exchanged. */
  readonly secrets: string[]
}

/** The largest clock difference: a session is created within this time before its hold ends. */
const HASTY_MS = 15 * 60_000
const DAILY_CAP_MICROS = 60_000

/** Lets others go first, so often. */
export async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resume) => setImmediate(resume))
}

export async function openTwoProcesses(selling: Selling): Promise<TwoProcesses> {
  const bed = await openAppBed({ services: [...services, work], selling })
  const { clock, database, target } = bed
  let skewMs = 0
  const there: Clock = () => clock() + skewMs
  const otherDatabase = connectDatabase(target, { poolSize: 4 })
  cleanUp(() => otherDatabase.close())
  const ledgerAt = (now: Clock): Ledger => {
    const ledger = createLedger({
      database: otherDatabase,
      now,
      topupUrl: '',
      pause: () => turns(1),
    })
    cleanUp(() => ledger.close())
    return ledger
  }
  bed.vendor.answerWith(fatefulVendor())
  const { box } = createStandIn()

  function processOf(calls: Calls): Process {
    const sessions: SessionDeps = { database: calls.database, now: calls.now, boxFor: () => box }
    const own = withSessions(calls, sessions)
    const worker = createWorker({
      database: own.database,
      now: own.now,
      concurrency: 3,
      run: (job, control) => runJob(own, new Map([['work.deep', search]]), job, control),
      onError: () => {},
    })
    cleanUp(() => worker.stop(0))
    return { calls: own, sessions, driver: createMeteredSessions(sessions), worker }
  }

  const secrets = [bed.liveKey]
  for (const label of ['first', 'second']) {
    const made = await bed.post('/api/v1/agents', {
      label,
      scope: 'account',
      ceiling_cents: 8,
      ceiling_period: 'day',
    })
    secrets.push(made.json<{ data: { key: string } }>().data.key)
  }
  const { rows } = await database.query<{ key_id: Id; account_id: Id; wallet_id: bigint }>(
    "select keys.id as key_id, account_id, wallets.id as wallet_id from keys join accounts on accounts.id = account_id join wallets using (account_id) where email = 'mine@gate.example.com' and keys.mode = 'live' and wallets.mode = 'live' order by keys.id",
  )
  const callers = rows.map(
    ({ key_id: id, account_id: accountId, wallet_id: walletId }, place): Caller => ({
      keyId: id,
      accountId,
      mode: 'live',
      walletId: Number(walletId),
      budgetId: id,
      externalId: null,
      scope: 'account',
      primary: place === 0,
      label: null,
      ancestorIds: [],
      policies: [],
      breaker: 'warn',
      limit: null,
      expiry: null,
      audience: null,
    }),
  )
  const [primary] = callers
  assert.ok(primary !== undefined && callers.length === 3)
  const { accountId: id, walletId } = primary
  await database.query(
    'insert into inference_days (wallet_id, day, cap_micros) values ($1, 0, $2)',
    [walletId, DAILY_CAP_MICROS],
  )
  // Checks every limit next to the ledger: the state after each committed hold, while the key is still locked.
  await database.query(`create function too_much() returns trigger language plpgsql as $$ begin
    if exists (select from budgets where id = new.budget_id and ceiling_micros <
      case period when 'day' then day_spent + day_held when 'week' then week_spent + week_held else month_spent + month_held end)
    then raise 'a ceiling was passed'; end if; return null; end $$`)
  await database.query(
    'create constraint trigger too_much after insert on holds deferrable initially deferred for each row execute function too_much()',
  )
  return {
    ...bed,
    processes: [
      processOf(bed.calls),
      processOf({ ...bed.calls, database: otherDatabase, now: there, ledger: ledgerAt(there) }),
    ],
    skew: (ms) => (skewMs = ms),
    hasty: ledgerAt(() => clock() + HASTY_MS),
    account: { id, walletId },
    callers,
    secrets,
  }
}

const USAGES = [
  undefined,
  { prompt_tokens: 5, completion_tokens: 7 },
  { prompt_tokens: -5, completion_tokens: 1.5 },
  { prompt_tokens: 2 ** 53 - 1, completion_tokens: 2 ** 53 - 1, cost: '-1' },
  { prompt_tokens: '5', completion_tokens: null },
]

/** Depends on the request, so a repeat gets the same result: broken, empty, found, or found with absurd figures. */
function fatefulVendor() {
  let asked = 0
  return async ({
    path,
    body,
  }: {
    readonly path: string
    readonly body: unknown
  }): Promise<VendorReply> => {
    // An empty list of models.
    if (body === undefined) return { status: 404 }
    asked += 1
    const fate = JSON.stringify(body).length % USAGES.length
    await turns((asked * 7) % 23)
    if (fate === 0) return { status: 500 }
    if (path.startsWith('/llm'))
      return completion((body as { readonly stream?: boolean }).stream === true, fate)
    const results =
      fate === 1
        ? []
        : [{ id: 'https://a0.example/', url: 'https://a0.example/', title: 'A', text: 'words' }]
    return { body: { requestId: 'r', results, costDollars: { total: -1e300 } } }
  }
}

function completion(streams: boolean, fate: number): VendorReply {
  const usage = USAGES[fate]
  if (!streams)
    return {
      body: {
        id: 'c',
        choices: [
          {
            index: 0,
            message: { role: 'assistant', content: 'some words' },
            finish_reason: 'stop',
          },
        ],
        usage,
      },
    }
  const event = (fields: object): string => `data: ${JSON.stringify({ id: 'c', ...fields })}\n\n`
  const words = event({ choices: [{ index: 0, delta: { content: 'some words' } }] })
  const end = `${event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}${event({ choices: [], usage })}data: [DONE]\n\n`
  // One of them is broken off after its words.
  return {
    headers: { 'content-type': 'text/event-stream' },
    body: fate === 2 ? words : `${words}${end}`,
  }
}
