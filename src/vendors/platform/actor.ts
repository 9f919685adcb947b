/** Turns one row of the actor table into an action: its input, price, request and outcome. */
import { Type, type TProperties } from '../../lib/schema.ts'
import { AppError } from '../../errors/app-error.ts'
import { cents, maxMicros } from '../../lib/money.ts'
import { call, params, type CallAction } from '../../catalog/vocabulary/define.ts'
import { isFilled } from '../../catalog/answers/filled.ts'
import { empty, type Data, type Outcome } from '../../catalog/vocabulary/outcome.ts'
import { post, type Reply, type WireRequest } from '../../catalog/vocabulary/wire.ts'
import { list, text, whole } from '../../catalog/vocabulary/fields.ts'
import type { Counted } from '../../catalog/vocabulary/tariff.ts'
import { field } from '../../catalog/answers/vendor-failure.ts'
import { requireWebAddress, type AddressCheck } from '../../catalog/validate/web-address.ts'

/** Handles are sent without @, hashtags without #, and a start address as `{ url }`. */
type EntryKind = 'text' | 'handle' | 'hashtag' | 'address' | 'start address'

export type Actor = {
  /** The vendor's name of the actor, such as "apify/instagram-post-scraper". */
  readonly actor: string
  readonly title: string
  readonly summary: string
  readonly keywords: readonly string[]
  /**
   * The parameter for the entries; `sendAs` is the actor's name for it. `single` means one text
   * instead of a list.
   */
  readonly asks: {
    readonly name: string
    readonly sendAs?: string
    readonly kind: EntryKind
    readonly single?: true
    readonly description: string
    readonly example: string
  }
  /**
   * The actor's own limit: for the whole run or per entry. An actor with one result per entry has
   * none.
   */
  readonly limit: { readonly field: string; readonly per: 'run' | 'entry' } | 'one per entry'
  /** An option whose items multiply the entries. The actor's limit then applies to each pair. */
  readonly times?: string
  /**
   * The actor delivers and charges at least this many results per entry. A single entry may request
   * fewer; several may not.
   */
  readonly leastPerEntry?: number
  /** Cents per result. */
  readonly rate: string
  /**
   * Costs of a run for the operator in addition to its results: cents per start, and results billed
   * in whole pages of this size.
   */
  readonly startCents?: string
  readonly pageSize?: number
  readonly priceSource: string
  readonly options?: TProperties
  readonly fixed?: Data
}

const MAX_ENTRIES = 50
const MAX_ITEMS = 1_000
const RUN_SECONDS = 240
/** The minimum charge of a run with results. Start costs beyond it are included in the rate. */
const LEAST_PRICE = cents('1')

export function actorAction(row: Actor): CallAction {
  const { asks, leastPerEntry: least = 1 } = row
  const entry = Type.String({ minLength: 1, maxLength: 500 })
  const rate = cents(row.rate)
  return call({
    title: row.title,
    summary: row.summary,
    description: `Runs a scraper and waits for it, usually 10 to 60 seconds and at most ${RUN_SECONDS / 60} minutes. Each result is charged; a run without results is free.`,
    keywords: row.keywords,
    input: params({
      [asks.name]:
        asks.single === true
          ? text(asks.description, 500)
          : list(`${asks.description} At most ${MAX_ENTRIES}.`, entry, MAX_ENTRIES, {
              uniqueItems: true,
            }),
      maxItems: whole(
        `Maximum total number of results, 1 to ${MAX_ITEMS}${least > 1 ? `; for several entries at least ${least} each` : ''}.`,
        1,
        MAX_ITEMS,
      ),
      ...row.options,
    }),
    example: { [asks.name]: asks.single === true ? asks.example : [asks.example], maxItems: 10 },
    price: {
      kind: 'unit',
      rate,
      unit: 'result',
      atMost: (input) => mostOf(row, input),
      counted: countedBy(row),
      rounding: 'whole_cent',
      minimum: LEAST_PRICE,
    },
    priceSource: row.priceSource,
    timeoutMs: (RUN_SECONDS + 30) * 1_000,
    untrustedContent: true,
    check: (input, checkAddress) => checkEntries(row, input, checkAddress),
    request: (input) => runRequest(row, input),
    reply: Type.Array(Type.Unknown()),
    outcome: (reply, input) => itemsOutcome(row, reply, input),
  })
}

function entriesOf({ asks }: Actor, input: Data): readonly string[] {
  return [input[asks.name]].flat().map(String)
}

function mostOf(row: Actor, input: Data): number {
  const most = Number(input['maxItems'])
  return row.limit === 'one per entry' ? Math.min(most, entriesOf(row, input).length) : most
}

/** The number of times that the actor's own limit applies. */
function partsOf(row: Actor, input: Data): number {
  const others = row.times === undefined ? [] : [input[row.times] ?? []].flat()
  return entriesOf(row, input).length * Math.max(1, others.length)
}

/** The smallest number of results that the actor delivers. */
function leastOf(row: Actor, input: Data): number {
  return partsOf(row, input) * (row.leastPerEntry ?? 1)
}

/** The smallest number of results that the caller may request. */
function leastItems(row: Actor, input: Data): number {
  return partsOf(row, input) === 1 ? 1 : leastOf(row, input)
}

function countedBy(row: Actor): Counted<Data> {
  return row.limit === 'one per entry'
    ? { by: 'list' }
    : { by: 'number', field: 'maxItems', least: (input) => leastItems(row, input) }
}

function checkEntries(row: Actor, input: Data, checkAddress: AddressCheck): void {
  const { asks } = row
  if (asks.kind === 'address' || asks.kind === 'start address')
    entriesOf(row, input).forEach((address, index) =>
      requireWebAddress(
        address,
        asks.single === true ? asks.name : `${asks.name}[${index}]`,
        checkAddress,
      ),
    )
  const least = leastItems(row, input)
  if (Number(input['maxItems']) < least)
    throw new AppError('invalid_params', `This many entries need at least ${least} results.`, {
      param: 'maxItems',
      fix: `Set "maxItems" to ${least} or more, or name fewer entries.`,
    })
}

function runRequest(row: Actor, input: Data): WireRequest {
  const { asks, limit, options = {} } = row
  const maxItems = Math.max(Number(input['maxItems']), leastOf(row, input))
  const entries = entriesOf(row, input).map((entry) => entryOf(asks.kind, entry))
  const ownLimit =
    limit === 'one per entry'
      ? {}
      : {
          [limit.field]:
            limit.per === 'run' ? maxItems : Math.floor(maxItems / partsOf(row, input)),
        }
  const chosen = Object.fromEntries(Object.keys(options).map((name) => [name, input[name]]))
  return {
    ...post(`/acts/${row.actor.replace('/', '~')}/run-sync-get-dataset-items`, {
      ...row.fixed,
      ...chosen,
      [asks.sendAs ?? asks.name]: asks.single === true ? entries[0] : entries,
      ...ownLimit,
    }),
    query: {
      maxItems,
      maxTotalChargeUsd: chargeCapUsd(row, input),
      timeout: RUN_SECONDS,
      clean: true,
      limit: mostOf(row, input),
    },
  }
}

function entryOf(kind: EntryKind, entry: string): unknown {
  if (kind === 'start address') return { url: entry }
  return kind === 'handle'
    ? entry.replace(/^@/, '')
    : kind === 'hashtag'
      ? entry.replace(/^#/, '')
      : entry
}

/**
 * Some actors reject a cap of a few cents. With this one, a run costs the operator at most this
 * much more than its price.
 */
const LEAST_CAP_MICROS = 50_000n

function chargeCapUsd(row: Actor, input: Data): number {
  const { rate, startCents = '0', pageSize = 1 } = row
  const charged = Math.ceil(Math.max(mostOf(row, input), leastOf(row, input)) / pageSize) * pageSize
  return (
    Number(maxMicros(cents(rate) * BigInt(charged) + cents(startCents), LEAST_CAP_MICROS)) /
    1_000_000
  )
}

/** Actors report an entry without results, or a plan with sample data only, as a row. */
function isResult(item: unknown): boolean {
  return (
    isFilled(item) &&
    typeof field(item, 'error') !== 'string' &&
    field(item, 'noResults') !== true &&
    field(item, 'demo') !== true
  )
}

function itemsOutcome(row: Actor, { body }: Reply<unknown[]>, input: Data): Outcome {
  const items = body.slice(0, Number(input['maxItems']))
  const units = items.filter(isResult).length
  const data = { actor: row.actor, item_count: units, items }
  return units === 0 ? empty(data) : { kind: 'done', data, units }
}
