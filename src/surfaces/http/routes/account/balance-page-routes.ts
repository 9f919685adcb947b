import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Histories } from '../../../../history/histories.ts'
import { listTransactions, type TransactionPage } from '../../../../history/list-transactions.ts'
import type { Visitor } from '../../../../auth/records/browser-session.ts'
import { readCallMarks } from '../../../../history/stored-answers.ts'
import { seenBy } from '../../../../history/transaction-filter.ts'
import type { Catalog } from '../../../../catalog/index.ts'
import type { Validator } from '../../../../catalog/validate/validate.ts'
import { AppError } from '../../../../errors/app-error.ts'
import type { Authenticator } from '../../../../keys/authenticate.ts'
import { ownerOf, type Caller } from '../../../../keys/caller.ts'
import type { KeyRecord } from '../../../../keys/key-record.ts'
import { listKeysAnd } from '../../../../keys/list-keys.ts'
import { parsePublicId } from '../../../../lib/ids.ts'
import { ambiguousKey, findMatchingKeys } from './find-matching-keys.ts'
import { bearerSecret } from '../../guards/require-caller.ts'
import { readQuery } from '../../read-input.ts'
import { keySignInRoutes } from '../sign-in/key-sign-in-routes.ts'
import { signInPage, type SignInMethods } from '../sign-in/sign-in-page.ts'
import type { PageDeps } from '../visitor/page-deps.ts'
import { sendPage, describeError } from '../visitor/send-page.ts'
import { balancePage } from './balance-page.ts'
import { keyName } from './account-components.ts'
import { CHART_FIELDS, chartRangeOf, withRange } from './chart-range.ts'
import { firstStepRoutes } from './first-step-routes.ts'
import { firstSteps } from './first-steps-section.ts'
import { readHome } from './read-home.ts'
import type { HistoryFilter } from './history-table.ts'
import { sendExport } from './send-export.ts'
import { spendingPageRoutes } from './spending-page-routes.ts'
import { filterOf, PageFilterQuery } from './transaction-query.ts'
import { requires } from '../../guards/requires.ts'

export type BalancePageDeps = {
  readonly pages: PageDeps
  readonly histories: Histories
  readonly methods: SignInMethods
  readonly validator: Validator
  readonly catalog: Pick<Catalog, 'allActions'>
  readonly authenticator: Pick<Authenticator, 'authenticate'>
  /** Whether the home page shows automatic top-up. */
  readonly sellsCredit?: boolean
}

const ROWS_SHOWN = 50
/** The latest calls below the chart. */
const LATEST_SHOWN = 10
const KEYS_OFFERED = 100

/** /balance: sign-in, then balance and history. Requires `acceptForms`. */
export async function balancePageRoutes(
  app: FastifyInstance,
  deps: BalancePageDeps,
): Promise<void> {
  const { pages, histories, methods, validator, authenticator } = deps
  const { database, now, site, findVisitor } = pages
  const actionIds = new Set(
    deps.catalog.allActions().map(({ service, name }) => `${service.id}/${name}`),
  )

  app.get('/balance', requires('calls.view'), async (request, reply) => {
    // Redirects a program with a key to the API.
    if (bearerSecret(request) !== null)
      return reply.redirect(
        `/api/v1/transactions${new URL(request.url, site.publicUrl).search}`,
        303,
      )
    const visitor = await findVisitor(request)
    if (visitor === null)
      return sendPage(reply, 200, signInPage(site, methods, { next: request.url }))
    return showBalance(reply, visitor, request.query)
  })

  async function showBalance(
    reply: FastifyReply,
    visitor: Visitor,
    query: unknown,
  ): Promise<FastifyReply> {
    const { caller } = visitor
    const range = chartRangeOf(query, now())
    const filter = withRange(readFilter(query), range)
    const isPlain = Object.keys(readFilter(query)).length === 0
    const named = await findMatchingKeys({ database, now }, caller, filter.key)
    const isUnambiguous = filter.key === undefined || named.length === 1
    const [home, history] = await Promise.all([
      readHome({ database, now, histories, sellsCredit: deps.sellsCredit === true }, visitor, {
        range,
        isPlain,
      }),
      isUnambiguous
        ? readHistory(caller, withKey(filter, named), isPlain ? LATEST_SHOWN : ROWS_SHOWN)
        : { page: null, refusal: describeError(ambiguousKey(named)) },
    ])
    const calls = (history.page?.transactions ?? []).flatMap(
      ({ request_id: id }) => (id === null ? null : parsePublicId('request', id)) ?? [],
    )
    const marks = await readCallMarks(
      { database: histories(caller.accountId), owner: ownerOf(caller) },
      calls,
    )
    const ids = [
      named[0]?.id,
      ...(history.page?.transactions ?? []).map((line) => line.agent_id),
      ...(range.by === 'key' ? (home.stack?.groups ?? []).map((group) => group.id) : []),
    ].filter((id) => id !== undefined && id !== null)
    const { keys, isComplete } = await listKeysAnd({ database, now }, caller, {
      limit: KEYS_OFFERED,
      cursor: null,
      mode: caller.mode,
      ids,
    })
    const markup = balancePage(site, {
      visitor,
      ...home,
      chart:
        home.stack === null
          ? null
          : {
              stack: home.stack,
              range,
              keyNames: new Map(keys.map((key) => [key.id, keyName(key)])),
            },
      firstSteps: home.steps === null ? null : firstSteps(site, visitor, home.steps),
      keys,
      keysOffered: isComplete,
      matchingKeys: named,
      filter,
      actionIds,
      marks,
      ...history,
    })
    return sendPage(reply, history.page === null ? 400 : 200, markup)
  }

  /** Returns the error of an invalid filter as text for the page. */
  async function readHistory(
    caller: Caller,
    filter: HistoryFilter,
    limit: number,
  ): Promise<{ page: TransactionPage } | { page: null; refusal: string }> {
    try {
      const { cursor, ...query } = readQuery(validator, PageFilterQuery, filter)
      return {
        page: await listTransactions(histories(caller.accountId), {
          walletId: caller.walletId,
          filter: { ...filterOf(query), ...seenBy(caller) },
          cursor: cursor ?? null,
          limit,
        }),
      }
    } catch (error) {
      if (error instanceof AppError && error.spec.status === 400)
        return { page: null, refusal: describeError(error) }
      throw error
    }
  }

  app.get('/balance/transactions.csv', requires('calls.view'), async (request, reply) => {
    const visitor = await findVisitor(request)
    if (visitor === null) return reply.redirect('/balance', 303)
    const filter = readFilter(request.query)
    const named = await findMatchingKeys({ database, now }, visitor.caller, filter.key)
    const { cursor: _page, ...query } = readQuery(
      validator,
      PageFilterQuery,
      withKey(filter, named),
    )
    return sendExport(reply, histories(visitor.caller.accountId), {
      walletId: visitor.caller.walletId,
      filter: { ...filterOf(query), ...seenBy(visitor.caller) },
      format: 'csv',
    })
  })

  firstStepRoutes(app, { pages })
  spendingPageRoutes(app, { pages, histories, methods })
  keySignInRoutes(app, { pages, methods, authenticator })
}

/** Replaces the typed key in the filter by the id of the only match. */
function withKey(filter: HistoryFilter, [named, ...others]: readonly KeyRecord[]): HistoryFilter {
  return named === undefined || others.length > 0 ? filter : { ...filter, key: named.id }
}

/** Drops empty fields. The last value of a repeated field counts. */
function readFilter(query: unknown): HistoryFilter {
  const filter: Record<string, string> = {}
  for (const [name, value] of Object.entries(query as Record<string, string | string[]>)) {
    // The mode selects the wallet, and the chart has fields of its own.
    if (name === 'mode' || CHART_FIELDS.includes(name)) continue
    const text = (Array.isArray(value) ? (value.at(-1) ?? '') : value).trim()
    if (text !== '') filter[name] = text
  }
  return filter
}
