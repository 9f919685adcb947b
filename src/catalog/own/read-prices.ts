/** Reads PRICES_FILE. */
import { cents } from '../../lib/money.ts'
import { Type, type Static } from '../../lib/schema.ts'
import { findTermsFault } from '../prices/apply-terms.ts'
import { matches, NO_RULES, type PriceRule, type PriceRules } from '../prices/price-rules.ts'
import type { Service } from '../vocabulary/action.ts'
import { params } from '../vocabulary/define.ts'
import { list, optional, text } from '../vocabulary/fields.ts'
import type { PriceTerms } from '../vocabulary/tariff.ts'
import { reportAt, reportTo, type Fault, type Report } from './faults.ts'
import { AMOUNT } from './own-file.ts'
import {
  findSchemaFaults,
  hashOf,
  placeFaults,
  readJsonFile,
  type FileFault,
} from './read-folder.ts'

const MOST_RULES = 5_000
/** Names of language models of the router begin with it. */
export const ROUTER_PREFIX = 'llm/'
const LATER = ['plan', 'tiers', 'tier_period', 'plans', 'display', 'invoice']

const amount = Type.String({ pattern: AMOUNT, description: 'Cents as text, such as "0.5".' })
const margin = Type.String({
  pattern: '^(-[1-8]?\\d|\\d{1,4})(\\.\\d{1,4})?$',
  description: 'Percent above the price as text, from "-89" to "9999", such as "20" or "7.5".',
})
const later = Object.fromEntries(LATER.map((name) => [name, optional(Type.Unknown())]))
const terms = {
  match: text('A service and action, or the beginning of one and "*".', 200, {
    pattern: '^[^*\\s]*\\*?$',
  }),
  cents: optional(amount),
  base_cents: optional(amount),
  minimum_cents: optional(amount),
  margin_percent: optional(margin),
}
const MOMENT = '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,3})?Z$'

const pricesFile = params({
  version: Type.Literal(1),
  default: optional(params({ margin_percent: margin })),
  rules: optional(list('The rules.', params({ ...terms, ...later }), MOST_RULES, { minItems: 0 })),
  changes: optional(
    list(
      'Announced changes.',
      params({
        from: Type.String({
          pattern: MOMENT,
          description: 'The time, such as "2027-01-01T00:00:00Z".',
        }),
        ...terms,
        ...later,
      }),
      MOST_RULES,
      { minItems: 0 },
    ),
  ),
  ...later,
})
type PricesFile = Static<typeof pricesFile>
type Written = NonNullable<PricesFile['rules']>[number] & { readonly from?: string }

export type OwnPrices = {
  readonly rules: PriceRules
  /** Of the contents; empty without a file. */
  readonly hash: string
  readonly faults: readonly FileFault[]
}

export const NO_PRICES: OwnPrices = { rules: NO_RULES, hash: '', faults: [] }

/** `services`: all that can be priced. Never throws. */
export function readPrices(path: string, services: readonly Service[]): OwnPrices {
  const faults: FileFault[] = []
  const parsed = readJsonFile(path, faults)
  if (parsed === null) return { ...NO_PRICES, faults }
  const found: Fault[] = findSchemaFaults(pricesFile, parsed.value)
  const file = parsed.value as PricesFile
  if (found.length === 0) checkPrices(file, services, reportTo(found))
  placeFaults(path, parsed.lines, found, faults)
  if (faults.length > 0) return { ...NO_PRICES, faults }
  return { rules: toRules(file), hash: hashOf(file), faults }
}

function toRules({ default: otherwise, rules = [], changes = [] }: PricesFile): PriceRules {
  return { otherwise: otherwise ?? null, rules: [...rules, ...changes].map(toRule) }
}

function toRule(written: Written): PriceRule {
  const { match, from } = written
  return {
    match,
    terms: toTerms(written),
    ...(from === undefined ? {} : { fromMs: Date.parse(from) }),
  }
}

function toTerms({
  cents: rate,
  base_cents,
  minimum_cents,
  margin_percent = '0',
}: Written): PriceTerms {
  if (rate === undefined) return { margin_percent }
  return {
    cents: rate,
    ...(base_cents === undefined ? {} : { base_cents }),
    ...(minimum_cents === undefined ? {} : { minimum_cents }),
  }
}

function checkPrices(file: PricesFile, services: readonly Service[], report: Report): void {
  reportLater(file, report)
  const seen = new Set<string>()
  const actions = services.flatMap(({ id, actions: own }) =>
    Object.entries(own).map(([name, action]) => ({ name: `${id}/${name}`, action })),
  )
  for (const place of ['rules', 'changes'] as const)
    for (const [index, rule] of ((file[place] ?? []) as readonly Written[]).entries()) {
      const at = reportAt(report, place, index)
      reportLater(rule, at)
      const key = `${rule.from === undefined ? '' : Date.parse(rule.from)} ${rule.match}`
      if (seen.has(key)) at('is that of another rule: two equal rules have no order', 'match')
      seen.add(key)
      if (rule.from !== undefined && Number.isNaN(Date.parse(rule.from)))
        at('is not a time', 'from')
      checkRule(rule, actions, at)
    }
}

/** Keys of later versions are rejected by name, so that nothing of a file is without effect. */
function reportLater(written: object, report: Report): void {
  for (const name of LATER)
    if (Object.hasOwn(written, name)) report('is not supported yet: remove it', name)
}

function checkRule(
  rule: Written,
  actions: readonly { readonly name: string; readonly action: Service['actions'][string] }[],
  at: Report,
): void {
  const { match, cents: rate, base_cents: base, minimum_cents: minimum } = rule
  if ((rate === undefined) === (rule.margin_percent === undefined))
    return at('must have either "cents" or "margin_percent"')
  if (rate === undefined && (base ?? minimum) !== undefined)
    return at('belongs to "cents"', base === undefined ? 'minimum_cents' : 'base_cents')
  const isZero = rate !== undefined && cents(rate) === 0n
  if (isZero) return at('must be above 0', 'cents')
  if (match.startsWith(ROUTER_PREFIX)) {
    if (rate !== undefined)
      at(
        'does not apply to language models, which have several rates: use "margin_percent"',
        'cents',
      )
    return
  }
  const found = actions.filter(({ name }) => matches(match, name))
  if (found.length === 0) return at('matches no action', 'match')
  const isExact = !match.endsWith('*')
  const problems = found.flatMap(({ name, action }) => {
    const problem = findTermsFault(action, toTerms(rule))
    return problem === null ? [] : [`${name} ${problem}`]
  })
  // A wildcard with a margin leaves out free actions and those charged by their steps.
  if (
    problems[0] !== undefined &&
    (isExact || rate !== undefined || problems.length === found.length)
  )
    at(`does not fit: the price of ${problems[0]}`, 'match')
}
