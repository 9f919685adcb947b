/**
 * Useless answers are free. The test takes each recorded answer of a vendor, merchant or public
 * source and removes its facts, or replaces it with an error under a successful status.
 */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { createCatalog, type Entry } from './index.ts'
import type { Source } from './vocabulary/define.ts'
import type { Data } from './vocabulary/outcome.ts'
import { goldenFile } from './testing/service-folders.ts'
import { billable } from './prices/price.ts'
import { createValidator } from './validate/validate.ts'
import type { Reply } from './vocabulary/wire.ts'

/** The recorded answer in an action's golden file. */
type Recorded = {
  readonly input: Data
  readonly reply?: Omit<Reply, 'agreed'> & { readonly agreed?: number }
}
type Case = {
  readonly name: string
  readonly entry: Entry
  readonly source: Source
  readonly input: Data
  readonly reply: Reply
}

const catalog = createCatalog()
const validator = createValidator()

/** The result of these is the action itself or a state, regardless of other fields. */
const DEEDS = new Set([
  'sandbox/sandbox-terminate',
  'sandbox/sandbox-status',
  'browser/extend_session',
  'inbox/send',
  'inbox/reply',
])
/** Its fields have the names that the caller chose. */
const NAMED_BY_CALLERS = 'proxy/extract'
/** For these an empty answer is the verdict: the subject is not on any list. */
const VERDICTS =
  /^compliance\/check \/x402\/(company-news|adverse-media-check|cve-lookup|package-security-audit|business-day-check)$/

function recordsIn(folder: 'golden' | 'golden-open', id: string): unknown {
  const file = goldenFile(folder, id)
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
}

const cases: readonly Case[] = catalog.allActions().flatMap((entry) => {
  const { action } = entry
  const id = `${entry.service.id}/${entry.name}`
  if (action.kind !== 'call' && action.kind !== 'endpoint') return []
  const own = recordsIn('golden', id) as Recorded | undefined
  const open = Object.entries(
    (recordsIn('golden-open', id) ?? {}) as Record<string, { input: Data; reply: unknown }>,
  )
  return [
    ...[action, ...(action.merchant === undefined ? [] : [action.merchant])].flatMap((source) => {
      if (own?.reply === undefined) return []
      const { agreed, ...reply } = own.reply
      return [
        {
          name: source === action ? id : `${id} of its merchant`,
          entry,
          source,
          input: own.input,
          reply: agreed === undefined ? reply : { ...reply, agreed: BigInt(agreed) },
        },
      ]
    }),
    ...open.flatMap(([name, { input, reply: body }]) => {
      const source = action.kind === 'call' ? action.openSource : action.entryFor(input)?.openSource
      return source === undefined
        ? []
        : [
            {
              name: name === id ? `${id} of its public source` : name,
              entry,
              source,
              input,
              reply: { status: 200, headers: {}, body },
            },
          ]
    }),
  ]
})

function chargeFor({ entry, source, input, reply }: Case, body: unknown): bigint {
  if (!validator.matches(source.reply, body)) return 0n
  return billable(entry.action, input, source.outcome({ ...reply, body }, input))
}

/** Metadata that envelopes have in addition to the result. */
const ENVELOPE_FIELDS =
  /^(ok|success|code|status|statusCode|status_code|count|total|total_results|resultCount|page|page_size|has_more|credits_consumed)$/

/** The same structure without facts. */
function blankOut(
  value: unknown,
  blank: unknown,
  itemOf: (item: unknown) => unknown,
  isTop = true,
): unknown {
  if (Array.isArray(value)) return value.map(itemOf)
  if (typeof value !== 'object' || value === null) return blank
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      name,
      isTop && typeof part !== 'object' && ENVELOPE_FIELDS.test(name)
        ? part
        : blankOut(part, blank, itemOf, false),
    ]),
  )
}

function blanksOf(body: unknown): unknown[] {
  const fields = [null, ''].map((blank): unknown =>
    blankOut(body, blank, function inside(item): unknown {
      return blankOut(item, blank, inside, false)
    }),
  )
  const rows = [null, {}, '', []].map((row): unknown => blankOut(body, null, () => row))
  return [...fields, ...rows]
}

const ERRORS: readonly Data[] = [
  { error: 'The request failed' },
  { error: { code: 'internal', message: 'The request failed' } },
  { errors: [{ message: 'The request failed' }] },
  { message: 'Internal server error' },
  { detail: 'Not found' },
  { success: false, error: 'The request failed' },
  { ok: false, message: 'The request failed', data: null },
  { status: 'error', message: 'The request failed' },
  { status: 500, error: 'Internal Server Error', path: '/', timestamp: '2026-11-20T12:00:00Z' },
  { code: -1, msg: 'The request failed' },
  { statusCode: 404, message: 'Not found' },
]

/**
 * Vendors bill these regardless of the result, and so does the gateway, as the descriptor states.
 */
const free = cases.filter(({ entry: { action } }) => action.billing.onMiss === 'free')
const results = free.filter(({ name }) => !DEEDS.has(name.split(' ')[0] ?? ''))

describe('an answer without facts', () => {
  it('had facts before', () => {
    assert.ok(cases.length > 250)
    for (const one of cases)
      assert.ok(
        chargeFor(one, one.reply.body) > 0n || one.entry.action.price.kind === 'free',
        one.name,
      )
  })

  it('is free if it is bare', () => {
    const charged = results.flatMap((one) => {
      // An empty object is a valid page or file.
      const { page, binary } = one.source.request(one.input)
      const bare =
        page === true || binary === true || VERDICTS.test(one.name)
          ? [null, '']
          : [
              null,
              '',
              ' \n',
              {},
              [],
              [null],
              [{}],
              [[]],
              [''],
              { data: null },
              { data: {} },
              { data: [] },
              { data: [{}] },
              { results: [] },
              { results: [null] },
              { result: {} },
            ]
      return bare
        .filter((body) => chargeFor(one, body) > 0n)
        .map((body) => `${one.name}: ${JSON.stringify(body)}`)
    })
    assert.equal(charged.length, 0, listCharged(charged))
  })

  it('is free if its fields or rows are blank', () => {
    const charged = results
      .filter(({ reply }) => typeof reply.body === 'object')
      .flatMap((one) =>
        blanksOf(one.reply.body)
          .filter((body) => chargeFor(one, body) > 0n)
          .map((body) => `${one.name}: ${JSON.stringify(body).slice(0, 500)}`),
      )
    assert.equal(charged.length, 0, listCharged(charged))
  })
})

function listCharged(charged: readonly string[]): string {
  return `charged for nothing: let outcome judge by found (src/vendors/shared/records.ts), or by isFilled or filledRows (src/catalog/answers/filled.ts)\n${charged.slice(0, 20).join('\n')}`
}

describe('an error with a successful status', () => {
  it('is free', () => {
    const charged = results.flatMap((one) => {
      const { page, binary } = one.source.request(one.input)
      if (page === true || binary === true || one.name === NAMED_BY_CALLERS) return []
      return ERRORS.filter((body) => chargeFor(one, body) > 0n).map(
        (body) => `${one.name}: ${JSON.stringify(body)}`,
      )
    })
    assert.deepEqual(charged, [])
  })
})
