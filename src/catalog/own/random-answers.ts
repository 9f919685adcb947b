/**
 * Random answers of a vendor, made from the rules of an action, and whether each is billed as its
 * rule demands. The expected charge is computed here again, from the file alone.
 */
import { cents, type Micros } from '../../lib/money.ts'
import { fieldsOf } from '../../lib/json-fields.ts'
import type { Random } from '../../lib/seeded-random.ts'
import { partsOf, readPointer } from '../../lib/json-pointer.ts'
import { billable, worstCase } from '../prices/price.ts'
import type { CallAction } from '../vocabulary/action.ts'
import type { Data } from '../vocabulary/outcome.ts'
import type { Reply } from '../vocabulary/wire.ts'
import { firstRule } from './outcome-rules.ts'
import type { OwnAction, Predicate, Rule } from './own-file.ts'
import { statusesOf } from './to-record.ts'

export type Misbilled = {
  readonly reply: Pick<Reply, 'status' | 'body'>
  readonly rule: number | null
  readonly charged: Micros
  readonly expected: Micros
}

export type Trial = {
  readonly answers: number
  /** How many were billed wrongly. */
  readonly wrong: number
  /** The first of them. */
  readonly misbilled: readonly Misbilled[]
  /** How many answers each rule decided. */
  readonly decided: readonly number[]
}

const MOST_KEPT = 20

/** Bills `count` answers to the example. */
export function tryAnswers(
  own: OwnAction,
  action: CallAction,
  input: Data,
  { count, random }: { readonly count: number; readonly random: Random },
): Trial {
  const decided = own.outcome.map(() => 0)
  const misbilled: Misbilled[] = []
  let wrong = 0
  for (let index = 0; index < count; index += 1) {
    const reply = randomReply(own, random)
    const charged = billable(action, input, action.outcome(reply, input))
    const rule = firstRule(own.outcome, reply)
    const place = rule === undefined ? null : own.outcome.indexOf(rule)
    if (place !== null) decided[place] = (decided[place] ?? 0) + 1
    const held = worstCase(action, input)
    const wanted = expectedCharge(own, action, input, { rule, reply })
    const expected = wanted < held ? wanted : held
    if (charged === expected) continue
    wrong += 1
    if (misbilled.length < MOST_KEPT) misbilled.push({ reply, rule: place, charged, expected })
  }
  return { answers: count, wrong, misbilled, decided }
}

function expectedCharge(
  { price, billing }: OwnAction,
  action: CallAction,
  input: Data,
  { rule, reply: { status, body } }: { readonly rule: Rule | undefined; readonly reply: Reply },
): Micros {
  const end = rule?.is ?? rule?.else
  if (rule === undefined || end === 'failed') return 0n
  const miss = (): Micros => {
    if (billing?.on_miss !== 'charged') return 0n
    return price.kind === 'unit' ? sumOf(1) : worstCase(action, input)
  }
  if (end === 'empty') return miss()
  if (status < 200 || status > 299 || isErrorOnly(body) || isBroken(body)) return 0n
  if (!hasContent(body)) return miss()
  if (end === 'partial' && billing?.on_partial === 'full_price') {
    const units = price.kind === 'unit' ? unitsIn(rule, body) : 1
    return units > 0 ? worstCase(action, input) : miss()
  }
  if (price.kind === 'flat') return cents(price.cents)
  if (price.kind === 'actual') {
    const value = readPointer(body, rule.actual_cents_at ?? '')
    const number = typeof value === 'string' && /^\d+(\.\d+)?$/.test(value) ? Number(value) : value
    return typeof number === 'number' && number >= 0 && number < 1e9
      ? BigInt(Math.ceil(Number((number * 10_000).toFixed(4))))
      : cents(price.cap_cents)
  }
  const units = unitsIn(rule, body)
  return units > 0 ? sumOf(units) : miss()

  function sumOf(counted: number): Micros {
    if (price.kind !== 'unit') return 0n
    const most = action.price.kind === 'unit' ? action.price.atMost(input) : 0
    const millionths = Math.ceil(Math.min(counted, most) * 1_000_000)
    const exact = (cents(price.cents) * BigInt(millionths) + 999_999n) / 1_000_000n
    const least = cents(price.minimum_cents ?? '0')
    if (millionths === 0) return 0n
    return cents(price.base_cents ?? '0') + (exact > least ? exact : least)
  }
}

function unitsIn({ units }: Rule, body: unknown): number {
  if (typeof units === 'number') return units
  if (units === undefined) return 0
  const found = readPointer(body, 'count_at' in units ? units.count_at : units.number_at)
  if ('count_at' in units) return Array.isArray(found) ? found.filter(hasContent).length : 0
  return typeof found === 'number' && found > 0 ? found : 0
}

/** A number, a flag or text that is not blank, anywhere in the value. */
function hasContent(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.values(value).some(hasContent)
  return typeof value === 'string' ? value.trim() !== '' : value !== null && value !== undefined
}

/** `randomReply` has these texts. */
function isBroken(body: unknown): boolean {
  return body === CUT_OFF || body === PAGE
}

/** `randomReply` names its errors so. */
function isErrorOnly(body: unknown): boolean {
  const filled = Object.entries(fieldsOf(body)).filter(([, value]) => hasContent(value))
  return filled.length === 1 && filled[0]?.[0] === 'error'
}

const CUT_OFF = '{"rows": [{"name": '
const PAGE = '<!doctype html><title>Bad gateway</title>'
const ERROR = { error: { message: 'quota exceeded' } }
const ROWS: readonly unknown[] = [
  { name: 'Acme' },
  { id: 7 },
  'text',
  5,
  true,
  {},
  null,
  '',
  ' ',
  { name: null },
  { name: '' },
  [],
]
const BODIES: readonly unknown[] = [
  {},
  [],
  null,
  '',
  ' ',
  'text',
  0,
  [{}],
  { rows: null },
  ERROR,
  CUT_OFF,
  PAGE,
]
const NUMBERS: readonly unknown[] = [0, 1, 2.5, 7, 1e6, -1, '3', '0.25', 'x', null, 0.1]

function randomReply({ outcome }: OwnAction, random: Random): Reply {
  const pick = <Item>(items: readonly Item[]): Item =>
    items[Math.floor(random() * items.length)] as Item
  const reply = { status: 200, headers: {}, body: random() < 0.1 ? pick(BODIES) : {} }
  const put = (pointer: string, value: unknown): void => {
    reply.body = withValue(reply.body, partsOf(pointer), value)
  }
  if (random() < 0.5) put('/note', pick(ROWS))
  for (const { units, actual_cents_at: actual } of outcome) {
    if (units !== undefined && typeof units !== 'number' && random() < 0.8)
      if ('count_at' in units)
        put(
          units.count_at,
          Array.from({ length: Math.floor(random() * 30) }, () => pick(ROWS)),
        )
      else put(units.number_at, pick(NUMBERS))
    if (actual !== undefined && random() < 0.8) put(actual, pick(NUMBERS))
  }
  const { when } = pick(outcome)
  if (when !== undefined) satisfy(when)
  return reply

  function satisfy(test: Predicate): void {
    if (test.all !== undefined) test.all.forEach(satisfy)
    else if (test.any !== undefined) satisfy(pick(test.any))
    else if (test.status !== undefined) reply.status = pick(statusesOf(test))
    else put(test.at ?? '', valueFor(test))
  }

  function valueFor(test: Predicate): unknown {
    if (test.exists !== undefined) return test.exists ? pick(ROWS) : undefined
    if (test.blank !== undefined) return test.blank ? pick(['', null, {}, []]) : 'text'
    if (test.type !== undefined)
      return { object: {}, array: [], string: 'text', number: 5, boolean: false, null: null }[
        test.type
      ]
    if (test.at_least !== undefined) return test.at_least + random() * 5
    return test.one_of === undefined ? test.equals : pick(test.one_of)
  }
}

/** A copy with the value at the path. Objects are made on the way; undefined removes a member. */
function withValue(root: unknown, [part, ...rest]: readonly string[], value: unknown): unknown {
  if (part === undefined) return value
  if (Array.isArray(root) && /^\d+$/.test(part)) {
    const items = [...(root as unknown[])]
    items[Number(part)] = withValue(items[Number(part)], rest, value)
    return Array.from(items, (item) => item ?? null)
  }
  const members = typeof root === 'object' && root !== null && !Array.isArray(root) ? root : {}
  const inner = withValue((members as Data)[part], rest, value)
  const { [part]: _, ...others } = members as Data
  return inner === undefined ? others : { ...others, [part]: inner }
}
