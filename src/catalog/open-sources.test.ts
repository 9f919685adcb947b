/**
 * Walks every open source that replaces a vendor. `golden-open/<action>.json` of the service
 * records its requests and the outcome. `UPDATE_GOLDEN=1` rewrites those files, for review as a
 * diff.
 */
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { manualClock } from '../../test/harness/manual-clock.ts'
import { fc } from '../../test/harness/property.ts'
import { AppError } from '../errors/app-error.ts'
import { startSimulators, type Simulators } from '../simulators/start.ts'
import type { EndpointParam, OpenSource } from './vocabulary/define.ts'
import { createCatalog, type Entry } from './index.ts'
import type { Data } from './vocabulary/outcome.ts'
import { billable, worstCase } from './prices/price.ts'
import { goldenActions, goldenFile } from './testing/service-folders.ts'
import { askSource } from './testing/ask-source.ts'
import { createValidator } from './validate/validate.ts'
import { failed } from './vocabulary/outcome.ts'
import { isOpen, type WireRequest } from './vocabulary/wire.ts'

const catalog = createCatalog()
const validator = createValidator()

let simulators: Simulators
before(async () => {
  simulators = await startSimulators({ now: manualClock(Date.parse('2026-11-20T12:00:00Z')) })
})
after(() => simulators.close())

type Case = {
  readonly entry: Entry
  readonly id: string
  readonly name: string
  readonly source: OpenSource
  readonly example: Data
}

const cases: readonly Case[] = catalog.allActions().flatMap((entry) => {
  const { service, name, action } = entry
  const id = `${service.id}/${name}`
  if (action.kind === 'call')
    return action.openSource === undefined
      ? []
      : [{ entry, id, name: id, source: action.openSource, example: action.example }]
  if (action.kind !== 'endpoint') return []
  return action.endpoints.flatMap(({ endpoint, example, openSource }) =>
    openSource === undefined
      ? []
      : [
          {
            entry,
            id,
            name: `${id} ${endpoint}`,
            source: openSource,
            example: { endpoint, ...example },
          },
        ],
  )
})

const recorded = new Map<string, Record<string, unknown>>()

describe('every open source', () => {
  for (const { entry, id, name, source, example } of cases) {
    test(`${name}: sends and answers as recorded, without a key`, async () => {
      assert.ok(isOpen(source.vendor))
      const input = validator.validate(entry.action.input, example)
      const { ok, reply, wires } = await askSource(
        `${simulators.url}/${source.vendor.label}`,
        source.vendor,
        source,
        input,
      )
      assert.ok(ok, `the simulator answered with ${reply.status}`)
      assert.ok(
        validator.matches(source.reply, reply.body),
        'the simulator answers in the source’s form',
      )
      const outcome = source.outcome(reply, input)
      const charged = billable(entry.action, input, outcome)
      assert.ok(
        outcome.kind === 'done' || outcome.kind === 'partial',
        `the example of ${name} finds something`,
      )
      assert.ok(charged <= worstCase(entry.action, input))
      const record = {
        input,
        source: source.vendor.label,
        wires,
        reply: reply.body,
        data: outcome.data,
        charged_micros: Number(charged),
      }
      recorded.set(id, { ...recorded.get(id), [name]: JSON.parse(JSON.stringify(record)) })
    })

    // A document may be a page.
    if (!name.endsWith('/filings/document'))
      test(`${name}: treats a web page instead of data as an upstream failure`, () => {
        const input = validator.validate(entry.action.input, example)
        const reply = {
          status: 200,
          headers: { 'content-type': 'text/html' },
          body: '<!doctype html><html><body>We are being repaired.</body></html>',
        }
        // A reply that its schema rejects is an upstream failure already.
        const outcome = validator.matches(source.reply, reply.body)
          ? source.outcome(reply, input)
          : failed('upstream_error', 'The reply has another form.')
        assert.deepEqual(
          [outcome.kind, outcome.kind === 'failed' && outcome.code],
          ['failed', 'upstream_error'],
        )
      })

    test(`${name}: no reply breaks the outcome or costs more than the hold`, async () => {
      const input = validator.validate(entry.action.input, example)
      const { reply, replies } = await askSource(
        `${simulators.url}/${source.vendor.label}`,
        source.vendor,
        source,
        input,
      )
      for (const [place, next] of (source.followUps ?? []).entries()) {
        const before = replies[place]
        if (before !== undefined)
          fc.assert(
            fc.property(mangled(before.body), (body) =>
              asksOrRefuses(() => next({ ...before, body }, input)),
            ),
            { numRuns: 50 },
          )
      }
      fc.assert(
        fc.property(mangled(reply.body), (body) => {
          if (!validator.matches(source.reply, body)) return
          const outcome = source.outcome({ ...reply, body }, input)
          assert.ok(['done', 'partial', 'empty', 'failed'].includes(outcome.kind))
          assert.ok(billable(entry.action, input, outcome) <= worstCase(entry.action, input))
        }),
        { numRuns: 50 },
      )
    })
  }

  test('golden files exist for every open source and for nothing else', () => {
    for (const [id, records] of recorded) {
      const file = goldenFile('golden-open', id)
      if (process.env['UPDATE_GOLDEN'] === '1') {
        mkdirSync(dirname(file), { recursive: true })
        writeFileSync(file, `${JSON.stringify(records, null, 2)}\n`)
      }
      assert.deepEqual(
        records,
        JSON.parse(readFileSync(file, 'utf8')),
        `${id} no longer matches its golden file`,
      )
    }
    const files = catalog.services.flatMap(({ id }) => goldenActions('golden-open', id))
    assert.deepEqual(files.toSorted(), [...recorded.keys()].toSorted())
  })
})

describe('a parameter that a public source does not support', () => {
  for (const { entry, name, source, example } of cases) {
    const { action } = entry
    if (action.kind !== 'endpoint') continue
    const { params = [], oneOf = [] } = action.entryFor(example) ?? {}
    // One of several names for the same thing may replace the others.
    const further = params.filter(
      (param) => !Object.hasOwn(example, param.name) && !oneOf.includes(param.name),
    )
    if (further.length === 0) continue
    test(`${name}: is rejected, so that no caller pays for an answer to another question`, async () => {
      const answerTo = async (input: Data) => {
        const { wires, reply } = await askSource(
          `${simulators.url}/${source.vendor.label}`,
          source.vendor,
          source,
          input,
        )
        return { wires, outcome: source.outcome(reply, input) }
      }
      const plain = await answerTo(validator.validate(action.input, example))
      for (const param of further) {
        const input = validator.validate(action.input, {
          ...example,
          [param.name]: unlikely(param),
        })
        const answer = await answerTo(input).catch((error: unknown) => error)
        if (answer instanceof AppError) {
          assert.ok(
            answer.code === 'invalid_params' ||
              (answer.code === 'upstream_not_configured' && answer.param === param.name),
            `${param.name}: ${answer.message}`,
          )
          assert.throws(
            () => source.check?.(input),
            { code: answer.code },
            `${param.name}: refused before anything is held`,
          )
        } else assert.notDeepEqual(answer, plain, `"${param.name}" is overlooked`)
      }
    })
  }
})

/** A value that changes an answer if any value does. */
function unlikely({ type, limits }: EndpointParam): unknown {
  const [first] = Array.isArray(limits?.['enum']) ? (limits['enum'] as unknown[]) : []
  if (first !== undefined) return first
  if (type === 'string') return '2020-01-02'
  if (type === 'number') return 1e15
  return type === 'boolean'
    ? false
    : type === 'array'
      ? [1]
      : type === 'object'
        ? {}
        : 1 + Number(limits?.['default'] ?? 0)
}

/** Asserts that the follow-up is a request or an error for callers, never an internal fault. */
function asksOrRefuses(next: () => WireRequest | null): void {
  try {
    assert.ok(next()?.path !== '')
  } catch (error) {
    if (!(error instanceof AppError)) throw error
  }
}

/** A body with one part replaced. */
function mangled(body: unknown): fc.Arbitrary<unknown> {
  // The last value converts to neither text nor number.
  const anything = fc.constantFrom(undefined, null, '', 'text', [], {}, -1, 1e308, true, {
    toString: null,
  })
  if (typeof body === 'string')
    return fc.oneof(
      fc.constant(body),
      fc.nat(body.length).map((end) => body.slice(0, end)),
      anything,
    )
  if (typeof body !== 'object' || body === null)
    return fc.oneof({ weight: 4, arbitrary: fc.constant(body) }, { weight: 1, arbitrary: anything })
  if (Array.isArray(body))
    return fc.oneof(
      { weight: 4, arbitrary: fc.tuple(...body.map(mangled)) },
      { weight: 1, arbitrary: anything },
    )
  const fields = Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, mangled(value)]),
  )
  return fc.oneof(
    { weight: 4, arbitrary: fc.record(fields, { requiredKeys: [] }) },
    { weight: 1, arbitrary: anything },
  )
}
