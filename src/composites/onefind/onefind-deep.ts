import type { JobHandler, JobTools } from '../../catalog/vocabulary/handlers.ts'
import { failed, type Failed, type Outcome } from '../../catalog/vocabulary/outcome.ts'
import { AppError } from '../../errors/app-error.ts'
import { toCentsRoundedUp, type Micros } from '../../lib/money.ts'
import { beforeDeadline } from '../shared/before-deadline.ts'
import { deepBudget } from '../shared/deep-budget.ts'
import { runInRowOrder } from '../shared/run-in-row-order.ts'
import { activeHops, trackActiveCalls } from '../shared/active-call.ts'
import { adviceForEnriched } from './advice.ts'
import { byProfile, costOf, enrich } from './enrich.ts'
import { findPeople, PEOPLE_SEARCH } from './find-people.ts'
import { HITS_FOR_ONE, namedWithoutMark } from './match-person.ts'
import { chosenOf, draftsOf, nobody, refuseIdentifier } from './onefind.ts'
import { personIn } from './person-query.ts'
import {
  callOf,
  chargeOf,
  rowOf,
  type PersonDraft,
  type PersonField,
  type PersonRow,
  type RowHop,
} from './person-row.ts'
import { costOfPlan, draftFor, lookupsOf, planRow, resolveRow, type RowPlan } from './row-plan.ts'

export type OnefindDeepInput = {
  readonly query?: string
  readonly rows?: readonly string[]
  readonly limit: number
  readonly budgetCents?: number
}

const CENTS_PER_ROW = 16

/** What is held: the caller's budget, or 16¢ for each row that there can be. */
export function onefindBudget({ query, rows, limit, budgetCents }: OnefindDeepInput): Micros {
  const rowCount =
    rows === undefined
      ? personIn(query ?? '') === null
        ? limit
        : 1
      : new Set(rows.map((text) => planRow(text).key)).size
  return deepBudget(budgetCents, CENTS_PER_ROW * rowCount)
}

/** Of what the job asks, what this input can be served by. */
export function onefindNeeds({ query, rows = [] }: OnefindDeepInput): readonly string[] {
  return query === undefined ? rows.flatMap((text) => lookupsOf(planRow(text))) : [PEOPLE_SEARCH]
}

/** Throws AppError bad_request unless exactly one of query and rows is given, onefind_identifier for an identifier as the query. */
export function checkOnefindDeep({ query, rows }: OnefindDeepInput): void {
  if ((query === undefined) === (rows === undefined)) {
    throw new AppError(
      'bad_request',
      query === undefined
        ? 'Either "query" or "rows" is needed.'
        : '"query" and "rows" exclude each other.',
      {
        fix: 'Send "query" to find people by description, or "rows" to look up those you know.',
      },
    )
  }
  if (query !== undefined) refuseIdentifier(query)
}

/** `core/onefind-deep`: finds people and looks up their contact data, or looks up those who are given. */
export const onefindDeep: JobHandler = async (data, tools) => {
  const { query, rows, limit } = data as OnefindDeepInput
  return rows === undefined ? findAndEnrich(tools, query ?? '', limit) : lookUpRows(tools, rows)
}

async function findAndEnrich(tools: JobTools, query: string, limit: number): Promise<Outcome> {
  const named = personIn(query)
  const { hop, found, failure } = await findPeople(
    tools,
    query,
    named === null ? limit : HITS_FOR_ONE,
  )
  const person = named ?? namedWithoutMark(query, found)
  const chosen = chosenOf(person, found)
  if (chosen.length === 0)
    return failure !== null && failure.code !== 'no_results' ? failure : nobody(person)
  const drafts = draftsOf(chosen, hop)
  const work = drafts.map((draft) => {
    const { linkedin } = draft.facts
    const enrichment = linkedin === undefined ? null : byProfile(linkedin)
    return {
      draft,
      cost: enrichment === null ? { most: 0n, least: 0n } : costOf(enrichment),
      run: () =>
        enrichment === null
          ? Promise.resolve(null)
          : enrich(trackActiveCalls(tools, [draft]), draft, enrichment),
    }
  })
  await runRows(tools, tools.budget.total - BigInt(hop.charged_micros), work)
  return finish(
    tools,
    query,
    drafts.map((draft) => rowOf(draft)),
    drafts.flatMap(({ hops }, place) => (place === 0 ? hops : hops.slice(1))),
  )
}

async function lookUpRows(tools: JobTools, texts: readonly string[]): Promise<Outcome> {
  const plans = texts.map(planRow)
  const distinct = new Map<string, { plan: RowPlan; draft: PersonDraft }>()
  plans.forEach((plan, place) => {
    if (!distinct.has(plan.key))
      distinct.set(plan.key, { plan, draft: draftFor(plan, texts[place] ?? '') })
  })
  const work = [...distinct.values()].map(({ plan, draft }) => ({
    draft,
    cost: costOfPlan(plan),
    run: () => resolveRow(trackActiveCalls(tools, [draft]), draft, plan),
  }))
  const failure = await runRows(tools, tools.budget.total, work)
  const drafts = work.map(({ draft }) => draft)
  drafts
    .filter((draft) => draft.error === null && !isResolved(draft))
    .forEach((draft) => (draft.error = 'not found'))
  const told = new Set<string>()
  const rows = plans.flatMap(({ key }, place) => {
    const draft = distinct.get(key)?.draft
    const isRepeated = told.has(key)
    told.add(key)
    // A person who is asked for twice is looked up and charged once.
    return draft === undefined
      ? []
      : [rowOf(isRepeated ? { ...draft, hops: [] } : draft, texts[place])]
  })
  const outcome = finish(
    tools,
    null,
    rows,
    drafts.flatMap(({ hops }) => hops),
  )
  if (drafts.some(isResolved) || outcome.kind === 'failed') return outcome
  const none = noneFound(drafts, failure)
  return {
    ...none,
    result: { ...outcome.data, next: none.message, spent_cents: 0, spent_micros: 0 },
  }
}

type RowWork = {
  readonly draft: PersonDraft
  readonly cost: { readonly most: Micros; readonly least: Micros }
  readonly run: () => Promise<Failed | null>
}

/** Returns the first failure, in row order, of a supplier that did not answer. */
async function runRows(
  tools: JobTools,
  available: Micros,
  work: readonly RowWork[],
): Promise<Failed | null> {
  const failures = new Map<PersonDraft, Failed>()
  const ended = new Set<PersonDraft>()
  const report = () => tools.progress({ rows_done: ended.size, rows_total: work.length })
  report()
  const tasks = work.map(({ draft, cost, run }) => ({
    ...cost,
    async run() {
      const before = chargeOf(draft.hops)
      const failure = await run()
      if (failure !== null) failures.set(draft, failure)
      draft.error ??= lookupError(draft, failure)
      ended.add(draft)
      report()
      return chargeOf(draft.hops) - before
    },
    skip() {
      draft.error ??= 'over budget'
      ended.add(draft)
    },
  }))
  await beforeDeadline(tools, runInRowOrder(available, tasks))
  work.forEach(({ draft }) => {
    if (ended.has(draft)) return
    draft.error ??= 'deadline'
    draft.hops.push(...activeHops(draft, tools.now()))
  })
  return (
    work.map(({ draft }) => failures.get(draft)).find((failure) => failure !== undefined) ?? null
  )
}

function lookupError(draft: PersonDraft, failure: Failed | null) {
  if (
    failure !== null &&
    failure.code !== 'upstream_not_configured' &&
    draft.facts.email === undefined
  )
    return 'lookup failed'
  const isCutOff = draft.hops.some(({ skipped }) => skipped === 'over_budget')
  if (isResolved(draft)) return isCutOff && !draft.enriched ? 'over budget' : null
  if (failure !== null) return 'lookup failed'
  return isCutOff ? 'over budget' : null
}

/** Somebody told something about the person. */
function isResolved({ sources }: PersonDraft): boolean {
  return Object.values(sources).some((supplier) => supplier !== 'input')
}

function noneFound(drafts: readonly PersonDraft[], failure: Failed | null): Failed {
  if (failure !== null) return failure
  if (drafts.some(({ error }) => error === 'over budget'))
    return failed(
      'no_people',
      'The budget did not cover the lookups; 16 cents for each row always do. Nothing was charged.',
    )
  const [error] = new Set(drafts.map(({ error: reason }) => reason))
  const why = drafts.length === 1 && error !== undefined && error !== null ? ` (${error})` : ''
  return failed(
    'no_people',
    `None of the rows could be found${why}. Rows are e-mail addresses, LinkedIn profiles, or names with the company. Nothing was charged.`,
  )
}

/** Found by the job: what the caller sent counts for nothing. */
function isBrought(row: PersonRow, field: PersonField): boolean {
  return row[field] !== null && row.sources[field] !== 'input'
}

function finish(
  tools: JobTools,
  query: string | null,
  rows: readonly PersonRow[],
  hops: readonly RowHop[],
): Outcome {
  const spent = rows.reduce((sum, { charged_micros: micros }) => sum + BigInt(micros), 0n)
  const skipped = rows.filter(({ error }) => error === 'over budget').length
  const result = {
    query,
    row_count: rows.length,
    enriched_count: rows.filter(({ enriched }) => enriched).length,
    skipped_count: skipped,
    stats: {
      emails: rows.filter((row) => isBrought(row, 'email')).length,
      phones: rows.filter((row) => isBrought(row, 'phone')).length,
    },
    rows,
    calls: hops.map(callOf),
    next: adviceForEnriched(tools, rows),
    spent_cents: toCentsRoundedUp(spent),
    spent_micros: Number(spent),
    budget_cents: toCentsRoundedUp(tools.budget.total),
  }
  return {
    kind: rows.every(({ error }) => error === undefined) ? 'done' : 'partial',
    data: result,
    actual: spent,
  }
}
