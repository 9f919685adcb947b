import type { JobHandler, JobTools } from '../../catalog/vocabulary/handlers.ts'
import { failed, type Failed, type Outcome } from '../../catalog/vocabulary/outcome.ts'
import { AppError } from '../../errors/app-error.ts'
import { toCentsRoundedUp, type Micros } from '../../lib/money.ts'
import { beforeDeadline } from '../shared/before-deadline.ts'
import { deepBudget } from '../shared/deep-budget.ts'
import { runInRowOrder } from '../shared/run-in-row-order.ts'
import { activeHops, trackActiveCalls } from '../shared/active-call.ts'
import { writeDeepAdvice } from './write-advice.ts'
import { planByProfile, costOf, enrich } from './enrich.ts'
import { findPeople, PEOPLE_SEARCH } from './find-people.ts'
import { HITS_FOR_ONE, findUnmarkedName } from './match-person.ts'
import { choosePeople, createDrafts, failWithoutPeople, rejectIdentifiers } from './onefind.ts'
import { parsePersonQuery } from './person-query.ts'
import {
  callOf,
  chargeOf,
  rowOf,
  type PersonDraft,
  type PersonField,
  type PersonRow,
  type RowHop,
} from './person-row.ts'
import {
  costOfPlan,
  createDraftFor,
  lookupsOf,
  planRow,
  resolveRow,
  type RowPlan,
} from './row-plan.ts'

export type OnefindDeepInput = {
  readonly query?: string
  readonly rows?: readonly string[]
  readonly limit: number
  readonly budgetCents?: number
}

const CENTS_PER_ROW = 16

/** The amount to hold: the caller's budget, or 16¢ for each possible row. */
export function onefindBudget({ query, rows, limit, budgetCents }: OnefindDeepInput): Micros {
  const rowCount =
    rows === undefined
      ? parsePersonQuery(query ?? '') === null
        ? limit
        : 1
      : new Set(rows.map((text) => planRow(text).key)).size
  return deepBudget(budgetCents, CENTS_PER_ROW * rowCount)
}

/** The ids of the actions that can serve this input. */
export function onefindNeeds({ query, rows = [] }: OnefindDeepInput): readonly string[] {
  return query === undefined ? rows.flatMap((text) => lookupsOf(planRow(text))) : [PEOPLE_SEARCH]
}

/** Throws AppError bad_request unless exactly one of query and rows is given, and the error of `rejectIdentifiers`. */
export function checkOnefindDeep({ query, rows }: OnefindDeepInput): void {
  if ((query === undefined) === (rows === undefined)) {
    throw new AppError(
      'bad_request',
      query === undefined
        ? 'Neither "query" nor "rows" is given.'
        : '"query" and "rows" cannot be combined.',
      {
        fix: 'Send "query" to find people by description, or "rows" to look up specific people.',
      },
    )
  }
  if (query !== undefined) rejectIdentifiers(query)
}

/** `core/onefind-deep`: looks up contact data of the given people, or of people found by a query. */
export const onefindDeep: JobHandler = async (data, tools) => {
  const { query, rows, limit } = data as OnefindDeepInput
  return rows === undefined ? findAndEnrich(tools, query ?? '', limit) : lookUpRows(tools, rows)
}

async function findAndEnrich(tools: JobTools, query: string, limit: number): Promise<Outcome> {
  const named = parsePersonQuery(query)
  const { hop, found, failure } = await findPeople(
    tools,
    query,
    named === null ? limit : HITS_FOR_ONE,
  )
  const person = named ?? findUnmarkedName(query, found)
  const chosen = choosePeople(person, found)
  if (chosen.length === 0)
    return failure !== null && failure.code !== 'no_results' ? failure : failWithoutPeople(person)
  const drafts = createDrafts(chosen, hop)
  const work = drafts.map((draft) => {
    const { linkedin } = draft.facts
    const enrichment = linkedin === undefined ? null : planByProfile(linkedin)
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
      distinct.set(plan.key, { plan, draft: createDraftFor(plan, texts[place] ?? '') })
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
  const seen = new Set<string>()
  const rows = plans.flatMap(({ key }, place) => {
    const draft = distinct.get(key)?.draft
    const isRepeated = seen.has(key)
    seen.add(key)
    // A repeated row is looked up and charged once.
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
  const failedOutcome = failWithoutRows(drafts, failure)
  return {
    ...failedOutcome,
    result: { ...outcome.data, next: failedOutcome.message, spent_cents: 0, spent_micros: 0 },
  }
}

type RowWork = {
  readonly draft: PersonDraft
  readonly cost: { readonly most: Micros; readonly least: Micros }
  readonly run: () => Promise<Failed | null>
}

/** Returns the first failure of a supplier, in row order. */
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

/** Whether a supplier returned at least one field. */
function isResolved({ sources }: PersonDraft): boolean {
  return Object.values(sources).some((supplier) => supplier !== 'input')
}

function failWithoutRows(drafts: readonly PersonDraft[], failure: Failed | null): Failed {
  if (failure !== null) return failure
  if (drafts.some(({ error }) => error === 'over budget'))
    return failed(
      'no_people',
      'The budget did not cover the lookups. 16 cents a row always suffice. Nothing was charged.',
    )
  const [error] = new Set(drafts.map((draft) => draft.error))
  const reason = drafts.length === 1 && error !== undefined && error !== null ? ` (${error})` : ''
  return failed(
    'no_people',
    `No row could be found${reason}. Rows are email addresses, LinkedIn profiles, or names with the company. Nothing was charged.`,
  )
}

/** Whether the job found the field. Fields of the input do not count. */
function isFound(row: PersonRow, field: PersonField): boolean {
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
      emails: rows.filter((row) => isFound(row, 'email')).length,
      phones: rows.filter((row) => isFound(row, 'phone')).length,
    },
    rows,
    calls: hops.map(callOf),
    next: writeDeepAdvice(tools, rows),
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
