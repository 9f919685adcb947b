/** Media models of the machine, with scripts in place of ffmpeg and espeak-ng. test/fire has the programs. */
import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { beforeEach, describe, it } from 'node:test'
import { anotherCaller } from '../../../test/harness/beds/calls.ts'
import { openTestFiles } from '../../../test/harness/beds/files.ts'
import { openJobBed } from '../../../test/harness/beds/jobs.ts'
import { eventually } from '../../../test/harness/eventually.ts'
import { refusedWith } from '../../../test/harness/refusal.ts'
import type { InHouseHandler } from '../../catalog/vocabulary/handlers.ts'
import { AppError, invariant } from '../../errors/app-error.ts'
import { LEASE_MS } from '../../jobs/job.ts'
import { ownerOf, type Caller } from '../../keys/caller.ts'
import { verifyLedger } from '../../ledger/verify.ts'
import { createSlots } from '../../lib/fairness/fair-slots.ts'
import { runInTurn } from '../../lib/fairness/run-in-turn.ts'
import { createUnpaidWork } from '../../lib/fairness/unpaid-work.ts'
import { newId } from '../../lib/ids.ts'
import { HOUR_MS } from '../../lib/clock.ts'
import { cents, dollars } from '../../lib/money.ts'
import { fillUpload } from '../../resources/files/fill-upload.ts'
import { createOutputSaver } from '../../resources/files/output-saver.ts'
import { openFile } from '../../resources/files/read-file.ts'
import type { MediaDeps } from '../../resources/media/media-deps.ts'
import { MEDIA_HANDLERS, mediaHandlers } from '../../resources/media/media-handlers.ts'
import { createPlaces } from '../../resources/media/places.ts'
import { openScripts } from '../../resources/media/testing/scripts.ts'
import { createGuard } from '../../upstream/guard.ts'
import { services } from '../../vendors/index.ts'
import { runCall } from '../run.ts'
import { quoteSale } from '../selling/quote-sale.ts'

const LIMITS = { maxFileBytes: 100_000, maxAccountBytes: 1_000_000 }
const models = services.find(({ id }) => id === 'media')?.models
invariant(models !== undefined, 'media has models')

let handlers: ReadonlyMap<string, InHouseHandler> = new Map()
const inHouse = new Map(
  MEDIA_HANDLERS.map((name): [string, InHouseHandler] => [
    name,
    async (input, tools) => handlers.get(name)?.(input, tools),
  ]),
)
const bed = await openJobBed({ inHouse, configured: false })
await bed.database.query(
  "select ledger_credit($1, $2, $3, 'adjustment', 'adjustments', $4, null, null)",
  [bed.clock(), newId(bed.clock()), bed.caller.walletId, dollars('100')],
)
const files = await openTestFiles(bed.database, bed.clock, LIMITS)
const fetching = { guard: createGuard({ allowPrivateNetworks: [] }), userAgent: 'test' }
Object.assign(bed.calls, { storeOutput: createOutputSaver(files, fetching) })
const { programs, use, open, cost } = openScripts()
const PROCESSORS = 2
const BOXES = 4

function setUp(changes: Partial<MediaDeps> = {}): void {
  cost(0)
  handlers = mediaHandlers({
    models: models ?? assert.fail(),
    files,
    fetching,
    programs,
    use,
    now: bed.clock,
    places: createPlaces(PROCESSORS, BOXES),
    unpaid: createUnpaidWork({ most: 1_000, now: bed.clock, what: 'failed renders' }),
    ...changes,
  })
}
let before: bigint
beforeEach(async () => {
  setUp()
  before = (await bed.balance()).balance
})

type Body = {
  readonly ok: boolean
  readonly data: Readonly<Record<string, unknown>> & {
    readonly kept_files?: readonly { readonly file_id: string; readonly field: string }[]
  }
  readonly charged_micros: number
}

async function call(action: string, input: object, extra = {}): Promise<Body> {
  const request = bed.request('media', action, input, extra)
  return JSON.parse((await runCall(bed.calls, request)).body) as Body
}

/** The `file_url` of an upload with this content. */
async function upload(content: string, caller: Caller = bed.caller): Promise<string> {
  const { data } = await call(
    'upload',
    { file_name: 'a.mp4', content_type: 'video/mp4' },
    { caller },
  )
  const link = new URL(String(data['upload_url']))
  await fillUpload(
    files,
    files.links.check(
      'put',
      link.pathname.split('/').at(-1) ?? '',
      Object.fromEntries(link.searchParams),
    ),
    {
      body: Readable.from([Buffer.from(content)]),
      announcedBytes: Buffer.byteLength(content),
      sha256: null,
      signal: new AbortController().signal,
      idleMs: 10_000,
    },
  )
  return String(data['file_url'])
}

async function contentOf(body: Pick<Body, 'data'>): Promise<string> {
  const [kept] = body.data.kept_files ?? []
  const { stream } = await openFile(files, ownerOf(bed.caller), kept?.file_id ?? '')
  return String(await buffer(stream))
}

async function wealthyStranger(): Promise<Caller> {
  const stranger = await anotherCaller(bed)
  await bed.database.query(
    "select ledger_credit($1, $2, $3, 'adjustment', 'adjustments', $4, null, null)",
    [bed.clock(), newId(bed.clock()), stranger.walletId, dollars('10')],
  )
  return stranger
}

/** Files that models made. */
async function outputs(): Promise<number> {
  return (await bed.database.query("select from files where source = 'media/generate'")).count
}

const thumbnail = { model: 'ffmpeg-thumbnail', start_s: 0.5 }
const assembly = (...addresses: string[]) => ({ model: 'ffmpeg-assembly', video_urls: addresses })

async function submit(input: object): Promise<string> {
  const { data, charged_micros: charged } = await call('generate', input)
  assert.deepEqual([data['async'], charged], [true, 0])
  return String(data['job_id'])
}

/** Cancels a job whose program runs. */
async function cancelRunning(input: object) {
  const jobId = await submit(input)
  const worker = bed.hire()
  await worker.wake()
  await eventually(() => assert.equal(open(), 1))
  await bed.cancel(jobId)
  await worker.beat()
  return bed.ended(jobId)
}

describe('a frame or a text', () => {
  it('is in the answer, charged once, and a file of the account', async () => {
    const address = await upload('film one')
    const answer = await call('generate', { ...thumbnail, video_url: address })
    assert.equal(answer.charged_micros, Number(cents('1')))
    assert.equal(await contentOf(answer), 'film made')
    assert.equal(answer.data.kept_files?.[0]?.field, 'images[0].url')
    const speech = await call('generate', { model: 'espeak-ng', text: 'Hello.' })
    assert.equal(speech.charged_micros, 60)
    assert.equal(await contentOf(speech), 'sound of Hello.')
    assert.equal((await bed.balance()).balance, before - cents('2') - 60n)
    assert.deepEqual((await verifyLedger(bed.database)).findings, [])
  })

  it('is made and charged once for calls with the same key', async () => {
    const input = { ...thumbnail, video_url: await upload('film twice') }
    const made = await outputs()
    const idempotency = { key: 'again', fingerprint: 'aa'.repeat(32) }
    const first = await call('generate', input, { idempotency })
    const second = await call('generate', input, { idempotency })
    assert.deepEqual(second.data, first.data)
    assert.equal(await outputs(), made + 1)
    assert.equal((await bed.balance()).balance, before - cents('2'))
  })

  it('that cannot be made is free, leaves no file, and names the parameter', async () => {
    const [broken, text] = [await upload('broken'), await upload('text')]
    const { balance } = await bed.balance()
    const made = await outputs()
    for (const [input, code, param] of [
      [{ ...thumbnail, video_url: broken }, 'upstream_rejected', undefined],
      [{ ...thumbnail, video_url: text }, 'invalid_params', 'video_url'],
      [{ ...thumbnail, video_url: broken, start_s: 9 }, 'invalid_params', 'start_s'],
      [{ ...thumbnail, video_url: 'http://127.0.0.1/a.mp4' }, 'bad_url', 'video_url'],
      [{ model: 'espeak-ng', text: 'Hello.', language: 'zz' }, 'invalid_params', 'language'],
      [{ model: 'espeak-ng', text: 'Hello.', voice: '-f' }, 'invalid_params', 'voice'],
    ] as const)
      await assert.rejects(call('generate', input), refusedWith(code, param))
    assert.deepEqual(await bed.balance(), { balance, held: 0n })
    assert.deepEqual([await outputs(), open()], [made, 0])
  })

  it('of a file of another account is unknown, like a missing one', async () => {
    const stranger = await wealthyStranger()
    const foreign = await upload('film of another', stranger)
    for (const address of [
      foreign,
      'https://gate.example/files/file_1',
      foreign.split('?')[0] ?? '',
    ])
      await assert.rejects(
        call('generate', { ...thumbnail, video_url: address }),
        refusedWith('unknown_file', 'video_url'),
      )
  })

  it('is rejected, free, while too many others wait', async () => {
    const video_url = await upload('film queue')
    const full = createSlots({ places: 1, waiting: 0, what: 'a media render' })
    const leave = await full.take({ accountId: 'other', signal: new AbortController().signal })
    setUp({ places: { run: (_, visitor, work) => runInTurn(full, visitor, 1, work) } })
    await assert.rejects(call('generate', { ...thumbnail, video_url }), refusedWith('overloaded'))
    leave()
    assert.equal((await bed.balance()).held, 0n)
    assert.ok((await call('generate', { ...thumbnail, video_url })).ok)
  })

  it('that fails too often is refused for an hour, and others are not', async () => {
    const [broken, fine] = [await upload('broken'), await upload('film fine')]
    cost(600)
    for (let at = 0; at < 2; at += 1)
      await assert.rejects(
        call('generate', { ...thumbnail, video_url: broken }),
        refusedWith('upstream_rejected'),
      )
    for (const input of [
      { ...thumbnail, video_url: fine },
      { model: 'espeak-ng', text: 'Hello.' },
    ])
      await assert.rejects(call('generate', input), refusedWith('rate_limited'))
    assert.equal((await bed.balance()).held, 0n)
    const caller = await wealthyStranger()
    assert.ok((await call('generate', { model: 'espeak-ng', text: 'Hello.' }, { caller })).ok)
    bed.clock.advance(HOUR_MS)
    assert.ok((await call('generate', { ...thumbnail, video_url: fine })).ok)
  })

  it('that fails late pays for its processor time up to its price, once under a key', async () => {
    const input = { ...thumbnail, video_url: await upload('broken') }
    const failing = async (extra: object): Promise<number> => {
      const error = await call('generate', input, extra).then(
        () => assert.fail('it fails'),
        (thrown: unknown) => thrown,
      )
      assert.ok(error instanceof AppError && error.code === 'upstream_rejected')
      return error.chargedMicros
    }
    const { balance } = await bed.balance()
    cost(36_000)
    const again = { idempotency: { key: 'late', fingerprint: 'bb'.repeat(32) } }
    assert.deepEqual([await failing(again), await failing(again)], [500, 500])
    cost(2 * HOUR_MS)
    assert.equal(await failing({}), Number(cents('1')))
    assert.deepEqual(await bed.balance(), { balance: balance - 500n - cents('1'), held: 0n })
    assert.deepEqual((await verifyLedger(bed.database)).findings, [])
  })

  it('that is paid makes up for one that failed', async () => {
    const [broken, fine] = [await upload('broken'), await upload('film fine')]
    cost(600)
    for (let at = 0; at < 4; at += 1) {
      await assert.rejects(
        call('generate', { ...thumbnail, video_url: broken }),
        refusedWith('upstream_rejected'),
      )
      assert.ok((await call('generate', { ...thumbnail, video_url: fine })).ok)
    }
  })

  it('as MP3 needs ffmpeg, and as WAV does not', async () => {
    setUp({ programs: { ...programs, ffmpeg: null, ffprobe: null } })
    const speech = { model: 'espeak-ng', text: 'Hello.' }
    await assert.rejects(
      call('generate', { ...speech, output_format: 'mp3' }),
      refusedWith('invalid_params', 'output_format'),
    )
    assert.equal(await contentOf(await call('generate', speech)), 'sound of Hello.')
  })

  it('is not sold without an account, because its file needs one', () => {
    const video_url = 'https://a.example/1.mp4'
    for (const body of [
      { ...thumbnail, video_url },
      { model: 'espeak-ng', text: 'Hello.' },
    ])
      assert.throws(
        () => quoteSale(bed.calls, { service: 'media', action: 'generate', body, mode: 'live' }),
        refusedWith('invalid_token'),
      )
  })
})

describe('a model of the vendor', () => {
  it('without a key is not set up, and free', async () => {
    for (const input of [
      { model: 'kokoro', text: 'Hello.' },
      { model: 'ffmpeg-merge', video_urls: ['https://a.example/1.mp4'] },
    ])
      await assert.rejects(call('generate', input), refusedWith('upstream_not_configured'))
    assert.deepEqual(await bed.balance(), { balance: before, held: 0n })
  })
})

describe('a video', () => {
  it('is charged when it is made, and not if it fails', async () => {
    const [one, broken] = [await upload('film one'), await upload('broken')]
    const { balance } = await bed.balance()
    const jobId = await submit(assembly(one, one))
    assert.deepEqual(await bed.balance(), { balance, held: cents('100') })
    await bed.hire().wake()
    const job = await bed.ended(jobId)
    assert.deepEqual([job.status, job.charged_micros], ['succeeded', Number(cents('100'))])
    assert.equal(await contentOf({ data: job.result ?? {} }), 'film made')
    const failed = await submit(assembly(one, broken))
    await bed.hire().wake()
    const end = await bed.ended(failed)
    assert.deepEqual([end.status, end.error?.code], ['failed', 'upstream_rejected'])
    assert.deepEqual(await bed.balance(), { balance: balance - cents('100'), held: 0n })
  })

  it('of a worker that died is made again, charged once, and is one file', async () => {
    const address = await upload('film once')
    const made = await outputs()
    const { balance } = await bed.balance()
    const jobId = await submit(assembly(address))
    const started = Promise.withResolvers<void>()
    const never = new Promise<never>(() => {})
    setUp({
      async use() {
        started.resolve()
        return never
      },
    })
    await bed.hire().wake()
    await started.promise
    setUp()
    bed.clock.advance(LEASE_MS + 1)
    await bed.hire().wake()
    const job = await bed.ended(jobId)
    assert.deepEqual([job.status, job.attempt], ['succeeded', 2])
    assert.equal(await outputs(), made + 1)
    assert.equal((await bed.balance()).balance, balance - cents('100'))
    assert.deepEqual((await verifyLedger(bed.database)).findings, [])
  })

  it('that fails or is cancelled late counts as unpaid work of its account', async () => {
    const [broken, slow] = [await upload('broken'), await upload('slow film')]
    cost(600)
    const failed = await submit(assembly(broken))
    await bed.hire().wake()
    assert.equal((await bed.ended(failed)).error?.code, 'upstream_rejected')
    assert.equal((await cancelRunning(assembly(slow))).error?.code, 'job_cancelled')
    const refused = await submit(assembly(slow))
    await bed.hire().wake()
    assert.equal((await bed.ended(refused)).error?.code, 'rate_limited')
  })

  it('that fails or is cancelled late pays for its processor time', async () => {
    const [broken, slow] = [await upload('broken'), await upload('slow film')]
    const { balance } = await bed.balance()
    cost(36_000)
    const failed = await submit(assembly(broken))
    await bed.hire().wake()
    const first = await bed.ended(failed)
    assert.deepEqual([first.error?.code, first.charged_micros], ['upstream_rejected', 500])
    const second = await cancelRunning(assembly(slow))
    assert.deepEqual([second.error?.code, second.charged_micros], ['job_cancelled', 500])
    for (const { error } of [first, second])
      assert.match(error?.message ?? '', /\. The processor time that it used was charged/)
    assert.deepEqual(await bed.balance(), { balance: balance - 1_000n, held: 0n })
    assert.deepEqual((await verifyLedger(bed.database)).findings, [])
  })

  it('that does not end delays no speech, frame or video of another account', async () => {
    const slow = assembly(await upload('slow film'))
    const jobs = [await submit(slow), await submit(slow)]
    const worker = bed.hire()
    await worker.wake()
    await eventually(() => assert.equal(open(), 1))
    const caller = await wealthyStranger()
    const video_url = await upload('film other', caller)
    for (const input of [
      { model: 'espeak-ng', text: 'Hello.' },
      { ...thumbnail, video_url },
    ])
      assert.ok((await call('generate', input, { caller })).ok)
    await call('generate', assembly(video_url), { caller })
    await worker.wake()
    const find = 'select status from jobs where account_id = $1'
    await eventually(async () =>
      assert.deepEqual((await bed.database.query(find, [caller.accountId])).rows, [
        { status: 'succeeded' },
      ]),
    )
    for (const jobId of jobs) await bed.cancel(jobId)
    await worker.beat()
    for (const jobId of jobs) await bed.ended(jobId)
  })

  it('that is cancelled ends its programs, and is free', async () => {
    const slow = assembly(await upload('slow film'))
    const { balance } = await bed.balance()
    const job = await cancelRunning(slow)
    assert.deepEqual([job.status, job.error?.code], ['failed', 'job_cancelled'])
    await eventually(() => assert.equal(open(), 0))
    assert.deepEqual(await bed.balance(), { balance, held: 0n })
  })
})
