import type { FastifyInstance } from 'fastify'
import type { Histories } from '../../../../history/histories.ts'
import { listTransactions, type TransactionPage } from '../../../../history/list-transactions.ts'
import type { Visitor } from '../../../../auth/records/browser-session.ts'
import { readCallMarks } from '../../../../history/stored-answers.ts'
import { seenBy } from '../../../../history/transaction-filter.ts'
import type { Catalog } from '../../../../catalog/index.ts'
import type { Validator } from '../../../../catalog/validate/validate.ts'
import { AppError } from '../../../../errors/app-error.ts'
import { ownerOf } from '../../../../keys/caller.ts'
import type { KeyRecord } from '../../../../keys/key-record.ts'
import { listKeysAnd } from '../../../../keys/list-keys.ts'
import { parsePublicId } from '../../../../lib/ids.ts'
import { bearerSecret } from '../../guards/require-caller.ts'
import { requires } from '../../guards/requires.ts'
import { readQuery } from '../../read-input.ts'
import { signInPage, type SignInMethods } from '../sign-in/sign-in-page.ts'
import type { PageDeps } from '../visitor/page-deps.ts'
import { describeError, sendPage } from '../visitor/send-page.ts'
import { TRANSACTIONS_PATH } from './account-url.ts'
import { ambiguousKey, findMatchingKeys } from './find-matching-keys.ts'
import type { HistoryFilter } from './history-table.ts'
import { readHistoryFilter } from './read-history-filter.ts'
import { sendExport } from './send-export.ts'
import { filterOf, PageFilterQuery } from './transaction-query.ts'
import { transactionsPage } from './transactions-page.ts'

export type TransactionsDeps = {
  readonly pages: PageDeps
  readonly histories: Histories
  readonly methods: SignInMethods
  readonly validator: Validator
  readonly catalog: Pick<Catalog, 'allActions'>
}

const ROWS_SHOWN = 50
const KEYS_OFFERED = 100

/** /balance/transactions and its CSV file. */
export function transactionsRoutes(app: FastifyInstance, deps: TransactionsDeps): void {
  const { pages, histories, methods, validator } = deps
  const { database, now, site, findVisitor } = pages

  app.get(TRANSACTIONS_PATH, requires('calls.view'), async (request, reply) => {
    // Redirects a program with a key to the API.
    if (bearerSecret(request) !== null)
      return reply.redirect(
        `/api/v1/transactions${new URL(request.url, site.publicUrl).search}`,
        303,
      )
    const visitor = await findVisitor(request)
    if (visitor === null)
      return sendPage(reply, 200, signInPage(site, methods, { next: request.url }))
    const { caller } = visitor
    const filter = readHistoryFilter(request.query)
    const matchingKeys = await findMatchingKeys({ database, now }, caller, filter.key)
    const isAmbiguous = filter.key !== undefined && matchingKeys.length !== 1
    const history = isAmbiguous
      ? { page: null, problem: describeError(ambiguousKey(matchingKeys)) }
      : await readHistory(visitor, withKey(filter, matchingKeys))
    const lines = history.page?.transactions ?? []
    const calls = lines.flatMap(
      ({ request_id: id }) => (id === null ? null : parsePublicId('request', id)) ?? [],
    )
    const [marks, { keys, isComplete }] = await Promise.all([
      readCallMarks({ database: histories(caller.accountId), owner: ownerOf(caller) }, calls),
      listKeysAnd({ database, now }, caller, {
        limit: KEYS_OFFERED,
        cursor: null,
        mode: caller.mode,
        ids: [matchingKeys[0]?.id, ...lines.map((line) => line.agent_id)].flatMap((id) => id ?? []),
      }),
    ])
    const markup = transactionsPage(site, {
      visitor,
      keys,
      keysOffered: isComplete,
      matchingKeys,
      filter,
      actionIds: new Set(
        deps.catalog.allActions().map(({ service, name }) => `${service.id}/${name}`),
      ),
      marks,
      ...history,
    })
    return sendPage(reply, history.page === null ? 400 : 200, markup)
  })

  app.get(`${TRANSACTIONS_PATH}.csv`, requires('calls.view'), async (request, reply) => {
    const visitor = await findVisitor(request)
    if (visitor === null) return reply.redirect('/balance', 303)
    const filter = readHistoryFilter(request.query)
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

  /** Returns the error of an invalid filter as text for the page. */
  async function readHistory(
    { caller }: Visitor,
    filter: HistoryFilter,
  ): Promise<{ page: TransactionPage } | { page: null; problem: string }> {
    try {
      const { cursor, ...query } = readQuery(validator, PageFilterQuery, filter)
      return {
        page: await listTransactions(histories(caller.accountId), {
          walletId: caller.walletId,
          filter: { ...filterOf(query), ...seenBy(caller) },
          cursor: cursor ?? null,
          limit: ROWS_SHOWN,
        }),
      }
    } catch (error) {
      if (error instanceof AppError && error.spec.status === 400)
        return { page: null, problem: describeError(error) }
      throw error
    }
  }
}

/** Replaces the typed key in the filter by the id of the only match. */
function withKey(filter: HistoryFilter, [named, ...others]: readonly KeyRecord[]): HistoryFilter {
  return named === undefined || others.length > 0 ? filter : { ...filter, key: named.id }
}
