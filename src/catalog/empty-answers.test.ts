/**
 * What nobody can use costs nothing: each recorded answer of a vendor, a merchant or a public source with what it says
 * taken out of it, and in its place an error with the status of a success.
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

/** What the file of an action holds of its answer. */
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

/** What these did is their result, or the state that they tell, whatever else is said. */
const DEEDS = new Set([
  'sandbox/sandbox-terminate',
  'sandbox/sandbox-status',
  'browser/extend_session',
  'inbox/send',
  'inbox/reply',
])
/** Its fields have the names that the caller gave them. */
const NAMED_BY_CALLERS = 'proxy/extract'
/** What was asked about stands on no list of theirs: that is the verdict, and an empty answer tells it. */
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

/** What envelopes say beside what was asked for. */
const OF_ENVELOPES =
  /^(ok|success|code|status|statusCode|status_code|count|total|total_results|resultCount|page|page_size|has_more|credits_consumed)$/

/** The same form, in which nothing is said any more. */
function blanked(
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
      isTop && typeof part !== 'object' && OF_ENVELOPES.test(name)
        ? part
        : blanked(part, blank, itemOf, false),
    ]),
  )
}

function blanksOf(body: unknown): unknown[] {
  const fields = [null, ''].map((blank): unknown =>
    blanked(body, blank, function inside(item): unknown {
      return blanked(item, blank, inside, false)
    }),
  )
  const rows = [null, {}, '', []].map((row): unknown => blanked(body, null, () => row))
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

/** Vendors bill these whatever they find, and so are callers, as the descriptor tells. */
const free = cases.filter(({ entry: { action } }) => action.billing.onMiss === 'free')
const brought = free.filter(({ name }) => !DEEDS.has(name.split(' ')[0] ?? ''))

describe('an answer that holds nothing', () => {
  it('was something before', () => {
    assert.ok(cases.length > 250)
    for (const one of cases)
      assert.ok(
        chargeFor(one, one.reply.body) > 0n || one.entry.action.price.kind === 'free',
        one.name,
      )
  })

  it('is charged nothing when it is bare', () => {
    const charged = brought.flatMap((one) => {
      // An empty object that somebody published is what was asked for.
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
    assert.equal(charged.length, 0, tellCharged(charged))
  })

  it('is charged nothing when its fields are blank, or its rows', () => {
    const charged = brought
      .filter(({ reply }) => typeof reply.body === 'object')
      .flatMap((one) =>
        blanksOf(one.reply.body)
          .filter((body) => chargeFor(one, body) > 0n)
          .map((body) => `${one.name}: ${JSON.stringify(body).slice(0, 500)}`),
      )
    assert.equal(charged.length, 0, tellCharged(charged))
  })
})

function tellCharged(charged: readonly string[]): string {
  return `charged for nothing: let outcome judge by found (src/vendors/shared/records.ts), or by isFilled or filledRows (src/catalog/answers/filled.ts)\n${charged.slice(0, 20).join('\n')}`
}

describe('an error with the status of a success', () => {
  it('is charged nothing', () => {
    const charged = brought.flatMap((one) => {
      const { page, binary } = one.source.request(one.input)
      if (page === true || binary === true || one.name === NAMED_BY_CALLERS) return []
      return ERRORS.filter((body) => chargeFor(one, body) > 0n).map(
        (body) => `${one.name}: ${JSON.stringify(body)}`,
      )
    })
    assert.deepEqual(charged, [])
  })
})
