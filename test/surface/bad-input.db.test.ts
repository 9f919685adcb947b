import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { fc } from '../harness/property.ts'
import type { Action } from '../../src/catalog/vocabulary/define.ts'
import type { LocalHandler } from '../../src/catalog/vocabulary/handlers.ts'
import { failed, type Data } from '../../src/catalog/vocabulary/outcome.ts'
import { createCatalog } from '../../src/catalog/index.ts'
import { createValidator } from '../../src/catalog/validate/validate.ts'
import { AppError } from '../../src/errors/app-error.ts'
import { cancelJob } from '../../src/jobs/cancel.ts'
import type { Id } from '../../src/lib/ids.ts'
import { verifyLedger } from '../../src/ledger/verify.ts'
import { openAppBed, type AppBed } from '../harness/beds/app.ts'
import { sampleOf, sampleSteps } from '../harness/sample.ts'

/** Random inputs of each action. */
const RUNS = 40

const refuseAll: LocalHandler = async () =>
  failed('no_results', 'The test has no handler for this.')
const catalog = createCatalog()
const validator = createValidator()

/** Well formed, but nothing's name; what PostgreSQL keeps in no text; half of a character. */
const UNFORESEEN = ['nobody-has-this-name', 'a\u0000b', '\ud800']

/** Copies of the value, each with the text in place of another one of its texts. */
function* withText(value: unknown, text: string): Generator {
  if (typeof value === 'string') yield text
  if (typeof value !== 'object' || value === null) return
  for (const [name, part] of Object.entries(value)) {
    for (const other of withText(part, text))
      yield Array.isArray(value) ? value.with(Number(name), other) : { ...value, [name]: other }
  }
}

/** Copies of the example, each with the text in another text field, including omitted ones. */
function examplesWith({ input, example }: Action, text: string): unknown[] {
  const { properties = {} } = input as {
    properties?: Readonly<Record<string, { readonly type?: string }>>
  }
  const left = Object.keys(properties).filter(
    (name) => properties[name]?.type === 'string' && !Object.hasOwn(example, name),
  )
  return [...withText(example, text), ...left.map((name) => ({ ...example, [name]: text }))]
}

/** Whether validation accepts the input. Then the call runs and may reach a vendor. */
function isValid(
  schema: Parameters<typeof validator.validate>[0],
  check: (input: Data) => void,
  body: unknown,
): boolean {
  try {
    check(validator.validate(schema, body))
    return true
  } catch (error) {
    assert.ok(error instanceof AppError, `validation threw ${String(error)}`)
    return false
  }
}

describe('input made from every published schema', () => {
  let bed: AppBed
  before(async () => {
    const local = new Map(
      catalog
        .allActions()
        .flatMap(({ action }) =>
          action.kind === 'local' ? [[action.handler, refuseAll] as const] : [],
        ),
    )
    bed = await openAppBed({ local })
    bed.vendor.answerWith(() => ({ status: 404, body: {} }))
  })

  for (const { service, name, action } of catalog.allActions()) {
    it(`${service.id}/${name} answers bad fields without a 5xx, a vendor or a charge`, async () => {
      const fields = Object.keys(
        (action.input as { properties?: Record<string, unknown> }).properties ?? action.example,
      )
      const change = fc.record({
        field: fc.constantFrom(
          ...fields,
          'unheard_of',
          'max_cost_cents',
          '__proto__',
          'constructor',
        ),
        value: fc.oneof(
          fc.jsonValue({ maxDepth: 3 }),
          fc.string({ unit: 'binary' }),
          fc.constantFrom(
            -1,
            1e308,
            '',
            [],
            {},
            null,
            'javascript:alert(1)',
            'http://[::1',
            `a${'\u0000'}b`,
            '\ud800',
          ),
        ),
      })
      await fc.assert(
        fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 3 }), async (changes) => {
          const body = {
            ...action.example,
            ...Object.fromEntries(changes.map(({ field, value }) => [field, value])),
          }
          await sendBoth(body)
        }),
        { numRuns: Math.ceil(RUNS / sampleSteps(20).stride) },
      )
    })

    const texts = sampleOf(
      UNFORESEEN.flatMap((text) => examplesWith(action, text)),
      10,
    )
    if (texts.length > 0)
      it(`${service.id}/${name} answers unusual texts without a 5xx, a vendor or a charge`, async () => {
        for (const body of texts) await sendBoth(body)
      })

    /** With a live key, and with a test key: every action has a simulator, live ones are those of the bed. */
    async function sendBoth(body: unknown): Promise<void> {
      const text = JSON.stringify(body)
      const { max_cost_cents: _, ...input } = JSON.parse(text) as Record<string, unknown>
      for (const key of [bed.liveKey, bed.testKey]) {
        const asked = bed.vendor.requests.length
        const reply = await bed.post(`/api/run/${service.id}/${name}`, text, {
          authorization: `Bearer ${key}`,
        })
        assert.notEqual(reply.statusCode, 500, `${text} -> ${reply.body}`)
        if (!isValid(action.input, action.check, input)) {
          assert.ok(
            reply.statusCode >= 400 && reply.statusCode < 500,
            `${text} -> ${reply.statusCode} ${reply.body}`,
          )
          assert.equal(bed.vendor.requests.length, asked)
        }
        assert.equal(reply.headers['x-charged-micros'], '0')
      }
    }
  }

  it('leaves every balance unchanged after the accepted jobs are cancelled', async () => {
    const { rows: jobs } = await bed.database.query<{ id: Id }>(
      "select id from jobs where status = 'queued'",
    )
    for (const { id } of jobs) await cancelJob(bed.database, id, bed.clock())
    const report = await verifyLedger(bed.database)
    assert.deepEqual(report.findings, [])
    const { rows } = await bed.database.query<{ balance_micros: bigint; held_micros: bigint }>(
      "select balance_micros, held_micros from wallets where mode = 'live'",
    )
    for (const row of rows) assert.deepEqual(row, { balance_micros: 2_000_000n, held_micros: 0n })
  })
})
