/**
 * Walks every action of the catalog. `golden/<action>.json` of the service records its request and
 * the outcome of the vendor's answer. `UPDATE_GOLDEN=1` rewrites those files, for review as a diff.
 */
import assert from 'node:assert/strict'
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { manualClock } from '../../test/harness/manual-clock.ts'
import { fc } from '../../test/harness/property.ts'
import { AppError } from '../errors/app-error.ts'
import { errorCatalog } from '../errors/catalog.ts'
import { startSimulators, type Simulators } from '../simulators/start.ts'
import { loadSimulators, type SimulatedVendors } from '../vendors/simulators.ts'
import { isLaunched, type Action, type ActionBase, type Source } from './vocabulary/define.ts'
import type { Data, Outcome } from './vocabulary/outcome.ts'
import { isOpen, type Reply, type Vendor } from './vocabulary/wire.ts'
import { createCatalog, type Entry } from './index.ts'
import { services } from '../vendors/index.ts'
import { billable, worstCase } from './prices/price.ts'
import { compositeServices, goldenActions, goldenFile } from './testing/service-folders.ts'
import { askSource } from './testing/ask-source.ts'
import { parseReply, sendWire, TEST_CREDENTIAL } from './testing/send-wire.ts'
import { createValidator } from './validate/validate.ts'

const here = import.meta.dirname
const catalog = createCatalog()
const validator = createValidator()
const clock = manualClock(Date.parse('2026-11-20T12:00:00Z'))
/** The URLs in these examples identify a person, a post or a captcha. No server fetches them. */
const NOT_FETCHED: ReadonlySet<string> = new Set([
  'core/onefind-deep',
  'captcha/solve',
  'contactfind/linkedin-contacts',
  'emailintel/linkedin-finder',
  'deepenrich/person-interactions',
  'newsletter/post',
])
/** Response headers that a record reads. The others change with the transport. */
const KEPT_HEADERS = /^(scrape\.do-|ant-|retry-after|x-fastcrw-|x-fal-)/

let simulatedVendors: SimulatedVendors
let simulators: Simulators
/** The same vendors a minute later, when launched jobs are finished. */
let later: Simulators
before(async () => {
  simulatedVendors = await loadSimulators()
  simulators = await startSimulators({ now: clock })
  later = await startSimulators({ now: () => clock() + 60_000 })
})
after(() => Promise.all([simulators.close(), later.close()]))

function addressesIn(value: unknown): string[] {
  if (typeof value === 'string') return /^https?:/.test(value) ? [value] : []
  return typeof value === 'object' && value !== null
    ? Object.values(value).flatMap(addressesIn)
    : []
}

function idOf({ service, name }: Entry): string {
  return `${service.id}/${name}`
}

const isInHouse = (action: Action): boolean =>
  action.kind === 'local' || (action.kind === 'call' && action.inHouse !== undefined)

const isJob = (action: Action): boolean =>
  action.kind === 'job' || (action.kind === 'local' && action.running !== undefined)

function vendorOf({ service }: Entry): Vendor {
  assert.ok(service.vendor !== undefined, `${service.id} has call actions and no vendor`)
  return service.vendor
}

const calls = catalog.allActions().flatMap((entry) => {
  const action = asked(entry.action)
  return action !== undefined && entry.service.vendor !== undefined
    ? [{ entry, action, id: idOf(entry) }]
    : []
})

type Asked = ActionBase & Source

/**
 * The source of an action that answers immediately; undefined for jobs and actions without a
 * vendor.
 */
function asked(action: Action): Asked | undefined {
  if (action.kind === 'call' || action.kind === 'endpoint') return action
  return action.kind === 'job' &&
    action.directly !== undefined &&
    !isLaunched(action, action.example)
    ? { ...action, ...action.directly }
    : undefined
}

function simulatorOf(entry: Entry, { url } = simulators): string {
  const label = vendorOf(entry).label ?? entry.service.id
  assert.ok(
    Object.hasOwn(simulatedVendors, label),
    `No simulator answers for ${idOf(entry)}. Export "${label}" from src/vendors/${entry.service.id}/simulator.ts (src/simulators/README.md).`,
  )
  return `${url}/${label}`
}

async function ask(entry: Entry, action: Asked, input: Data): Promise<Reply> {
  return (await askSource(simulatorOf(entry), vendorOf(entry), action, input)).reply
}

function howToRecord(id: string): string {
  return `UPDATE_GOLDEN=1 npx node --test --test-name-pattern '${id}' src/catalog/catalog.test.ts`
}

/**
 * Converts a value to plain JSON, to compare it with a golden file. Replaces the simulators' port,
 * which changes with each run.
 */
function asJson(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (_, one: unknown) =>
      typeof one === 'bigint' ? Number(one) : shortenVector(one),
    ).replaceAll(simulators.url, 'http://simulators'),
  )
}

/** The start of a long list of numbers, so that golden files can be read. */
function shortenVector(value: unknown): unknown {
  return Array.isArray(value) && value.length > 100 && value.every((one) => Number.isFinite(one))
    ? value.slice(0, 8)
    : value
}

function compareWithGolden(id: string, value: unknown): void {
  const file = goldenFile('golden', id)
  const actual = asJson(value)
  if (process.env['UPDATE_GOLDEN'] === '1') {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, `${JSON.stringify(actual, null, 2)}\n`)
  }
  assert.ok(existsSync(file), `${id} has no golden file yet: ${howToRecord(id)}`)
  assert.deepEqual(
    actual,
    JSON.parse(readFileSync(file, 'utf8')),
    `${id} no longer matches its golden file. If that is meant, read the diff of: ${howToRecord(id)}`,
  )
}

describe('every action', () => {
  test('every record of src/vendors is registered, and each service has a unique id', () => {
    const vendors = globSync('vendors/*/record.ts', { cwd: join(here, '..') })
    const expected = [
      'core',
      ...compositeServices,
      ...vendors.map((name) => basename(dirname(name))),
    ]
    const ids = services.map(({ id }) => id)
    assert.deepEqual(
      expected.filter((id) => !ids.includes(id)),
      [],
      'src/vendors/index.ts lists the record of each folder as the service of its name',
    )
    assert.equal(
      new Set(ids).size,
      expected.length,
      'each service is listed once, and has a file of its name',
    )
  })

  test('golden files exist for the actions of the catalog and for nothing else', () => {
    const files = services.flatMap(({ id }) => goldenActions('golden', id))
    // Requests of a passthrough without a vendor are recorded in `golden-open`.
    const kept = catalog
      .allActions()
      .filter(({ service, action }) => action.kind !== 'endpoint' || service.vendor !== undefined)
      .map(idOf)
    const [missing, left] = [
      kept.filter((id) => !files.includes(id)),
      files.filter((id) => !kept.includes(id)),
    ]
    assert.deepEqual(
      missing,
      [],
      `these have no golden file yet; it is written by: ${howToRecord(missing[0] ?? '')}`,
    )
    assert.deepEqual(left, [], 'delete the golden files of actions that no longer exist')
  })

  for (const entry of catalog.allActions()) {
    const { action } = entry
    test(`${idOf(entry)}: names, texts, price and limits are complete`, () => {
      assert.match(entry.service.id, /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/)
      assert.match(entry.name, /^[a-z][a-z0-9]*([-_][a-z0-9]+)*$/)
      assert.match(action.summary, /^[A-Z].{10,198}\.$/)
      assert.ok(
        action.price.kind === 'free' || action.priceSource !== undefined,
        'a price names its source',
      )
      // A job has workers and no waiting caller.
      const mostMs = action.kind === 'local' && action.running !== undefined ? 900_000 : 300_000
      assert.ok(action.timeoutMs >= 1_000 && action.timeoutMs <= mostMs)
      for (const path of undescribed(action.input, ''))
        assert.fail(`parameter ${path} has no description`)
    })

    test(`${idOf(entry)}: accepts the example and rejects unknown parameters`, () => {
      const input = validator.validate(action.input, action.example)
      action.check(input)
      assert.throws(
        () => validator.validate(action.input, { ...action.example, no_such_parameter: 1 }),
        (error) => error instanceof AppError && error.param === 'no_such_parameter',
      )
    })

    test(`${idOf(entry)}: checks every URL to fetch before the hold`, () => {
      const checked: string[] = []
      action.check(validator.validate(action.input, action.example), (address) =>
        checked.push(address),
      )
      const named = NOT_FETCHED.has(idOf(entry)) ? [] : addressesIn(action.example)
      assert.deepEqual(checked.toSorted(), named.toSorted())
    })

    if (isInHouse(action) && !NOT_FETCHED.has(idOf(entry)))
      test(`${idOf(entry)}: names existing URLs, which the gateway fetches`, () => {
        // The reserved hosts have only a front page.
        const missing = addressesIn(action.example).filter((address) =>
          /^https?:\/\/(?:www\.)?example\.(?:com|net|org)\/./.test(address),
        )
        assert.deepEqual(missing, [])
      })

    if (isJob(action))
      test(`${idOf(entry)}: names the action that returns the result of a job_id`, () => {
        const named = (action.description ?? '').match(/\b[a-z0-9]+\/results?\b/g) ?? []
        assert.ok(
          named.some((id) => catalog.allActions().some((other) => idOf(other) === id)),
          'the description names core/result or the action that returns the result of the job',
        )
      })

    test(`${idOf(entry)}: publishes as JSON without a credential`, () => {
      const published = JSON.stringify([
        action.input,
        action.example,
        action.summary,
        action.description,
      ])
      assert.ok(published.length > 50)
      assert.doesNotMatch(published, /UPSTREAM_|api[_-]?key/i)
    })
  }

  for (const { entry, action, id } of calls) {
    const needsKey = !isOpen(vendorOf(entry))
    test(`${id}: request, reply and outcome of the example match the golden file`, async () => {
      const input = validator.validate(action.input, action.example)
      const reply = await ask(entry, action, input)
      assert.ok(
        reply.status >= 200 && reply.status < 300,
        `the simulated vendor (src/vendors/${entry.service.id}/simulator.ts) answers ${action.request(input).method} ${action.request(input).path} with ${reply.status}`,
      )
      assert.ok(
        validator.matches(action.reply, reply.body),
        'the simulator answers in the vendor’s form',
      )
      const outcome = action.outcome(reply, input)
      const charged = billable(action, input, outcome)
      assert.ok(charged <= worstCase(action, input))
      const headers = Object.fromEntries(
        Object.entries(reply.headers).filter(
          ([name]) =>
            KEPT_HEADERS.test(name) ||
            (name === 'content-type' && action.request(input).binary === true),
        ),
      )
      const record = {
        input,
        wire: action.request(input),
        reply: { ...reply, headers },
        outcome: {
          kind: outcome.kind,
          units: unitsOf(outcome),
          charged_micros: Number(charged),
          held_micros: Number(worstCase(action, input)),
        },
      }
      assert.equal(
        JSON.stringify([record, outcome], (_, value: unknown) =>
          typeof value === 'bigint' ? Number(value) : value,
        ).includes(TEST_CREDENTIAL),
        false,
        'the credential stays out of everything',
      )
      compareWithGolden(id, record)
    })

    const example = action.request(validator.validate(action.input, action.example))
    if (needsKey && example.anonymous !== true)
      test(`${id}: a call without credentials is a lane that is not configured`, async () => {
        const vendor = vendorOf(entry)
        const { path, method } = example
        const reply = await fetch(`${simulatorOf(entry)}${path}`, { method })
        const failure = vendor.readFailure?.({
          status: reply.status,
          headers: {},
          body: parseReply(await reply.text()),
        })
        assert.equal(
          failure?.code,
          'upstream_not_configured',
          `the code that readFailure returns for ${reply.status}, the simulator's answer without a key`,
        )
      })

    // An open vendor takes no payment.
    if (needsKey)
      test(`${id}: never presents the vendor's demand for payment as the gateway's`, async () => {
        const wire = example
        const headers = { ...wire.headers, 'x-simulated-fault': 'sim:quota' }
        const reply = await sendWire(simulatorOf(entry), vendorOf(entry), { ...wire, headers })
        assert.equal(
          vendorOf(entry).readFailure?.(reply)?.code,
          'upstream_payment',
          `the code that readFailure returns for ${reply.status}, the simulator's quotaStatus`,
        )
      })

    test(`${id}: no reply breaks the outcome or costs more than the hold`, async () => {
      const input = validator.validate(action.input, action.example)
      const reply = await ask(entry, action, input)
      fc.assert(
        fc.property(mutationOf(reply.body), fc.constantFrom(reply.headers, {}), (body, headers) => {
          if (!validator.matches(action.reply, body)) return
          const outcome = action.outcome({ status: 200, headers, body }, input)
          assert.ok(['done', 'partial', 'empty', 'failed'].includes(outcome.kind))
          assert.ok(billable(action, input, outcome) <= worstCase(action, input))
        }),
        { numRuns: 300 },
      )
    })
  }

  test('readFailure never throws and always returns a known code', () => {
    const statuses = fc.constantFrom(
      400,
      401,
      402,
      403,
      404,
      408,
      409,
      410,
      413,
      418,
      422,
      429,
      432,
      500,
      502,
      503,
      504,
      510,
      524,
    )
    for (const { vendor } of services) {
      if (vendor?.readFailure === undefined) continue
      const read = vendor.readFailure
      fc.assert(
        fc.property(
          statuses,
          fc.oneof(
            fc.jsonValue(),
            // Any field may contain an object that cannot become text.
            fc.dictionary(
              fc.constantFrom(
                'error',
                'errors',
                'code',
                'tag',
                'Message',
                'message',
                'detail',
                'error_code',
              ),
              fc.oneof(fc.jsonValue(), fc.constant({ toString: null })),
            ),
          ),
          (status, body) => {
            const code = read({ status, headers: {}, body })?.code
            assert.ok(code !== undefined && code in errorCatalog)
            assert.notEqual(errorCatalog[code].status, 402)
          },
        ),
      )
    }
  })

  for (const entry of catalog
    .allActions()
    .filter(({ action }) => isLaunched(action, action.example))) {
    const id = idOf(entry)
    test(`${id}: launch, poll and outcome of the example match the golden file`, async () => {
      const { action } = entry
      assert.ok(action.kind === 'job')
      const input = validator.validate(action.input, action.example)
      const wire = action.launch.request(input)
      const launched = await sendWire(simulatorOf(entry), vendorOf(entry), wire)
      assert.ok(
        validator.matches(action.launch.reply, launched.body),
        'the simulator answers in the vendor’s form',
      )
      const reference = action.launch.reference(launched)
      const poll = action.poll.request(reference)
      const reply = await sendWire(simulatorOf(entry, later), vendorOf(entry), poll)
      assert.ok(
        validator.matches(action.reply, reply.body),
        'the simulator answers in the vendor’s form',
      )
      assert.equal(action.poll.progress(reply).kind, 'finished')
      const outcome = action.outcome(reply, input)
      const held = Number(worstCase(action, input))
      const charged = Number(billable(action, input, outcome))
      assert.ok(charged <= held)
      compareWithGolden(id, {
        input,
        wire,
        reference,
        poll,
        outcome,
        charged_micros: charged,
        held_micros: held,
      })
    })
  }

  for (const entry of catalog.allActions().filter(({ action }) => action.kind === 'local')) {
    test(`${idOf(entry)}: input and price of the example match the golden file, and its uses exist`, () => {
      const { action } = entry
      assert.ok(action.kind === 'local')
      for (const used of action.uses) {
        const [service = '', name = ''] = used.split('/')
        assert.ok(catalog.findAction(service, name).action.kind !== 'local')
      }
      const input = validator.validate(action.input, action.example)
      compareWithGolden(idOf(entry), {
        input,
        handler: action.handler,
        uses: action.uses,
        held_micros: Number(worstCase(action, input)),
      })
    })
  }
})

function unitsOf(outcome: Outcome): number | undefined {
  return outcome.kind === 'done' || outcome.kind === 'partial' ? outcome.units : undefined
}

/** The paths of parameters without a description, at every depth. */
function undescribed(schema: unknown, path: string): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const {
    properties = {},
    anyOf = [],
    items,
  } = schema as {
    properties?: Record<string, { description?: string }>
    anyOf?: unknown[]
    items?: unknown
  }
  const own = Object.entries(properties).flatMap(([name, property]) => [
    ...(property.description === undefined ? [`${path}.${name}`] : []),
    ...undescribed(property, `${path}.${name}`),
  ])
  return [
    ...own,
    ...anyOf.flatMap((branch) => undescribed(branch, path)),
    ...undescribed(items, `${path}[]`),
  ]
}

/** A body with some parts replaced or removed. */
function mutationOf(body: unknown): fc.Arbitrary<unknown> {
  const anything = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    // The last value converts to neither text nor number.
    fc.constantFrom(undefined, null, '', [], {}, -1, 1e308, 'success', 'error', { toString: '' }),
  )
  if (Array.isArray(body))
    return fc.oneof(
      { weight: 3, arbitrary: fc.tuple(...body.map(mutationOf)) },
      { weight: 1, arbitrary: fc.subarray(body) },
      { weight: 1, arbitrary: anything },
    )
  if (typeof body !== 'object' || body === null)
    return fc.oneof({ weight: 6, arbitrary: fc.constant(body) }, { weight: 1, arbitrary: anything })
  const fields = Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, mutationOf(value)]),
  )
  return fc.oneof(
    { weight: 6, arbitrary: fc.record(fields, { requiredKeys: Object.keys(fields) }) },
    { weight: 2, arbitrary: fc.record(fields, { requiredKeys: [] }) },
    { weight: 1, arbitrary: anything },
  )
}
