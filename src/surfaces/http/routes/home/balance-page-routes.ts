import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Visitor } from '../../../../auth/records/browser-session.ts'
import type { Authenticator } from '../../../../keys/authenticate.ts'
import { listKeysAnd } from '../../../../keys/list-keys.ts'
import { bearerSecret } from '../../guards/require-caller.ts'
import { requires } from '../../guards/requires.ts'
import { readShownCalls, type CallReadDeps } from '../calls/call-table.ts'
import { keySignInRoutes } from '../sign-in/key-sign-in-routes.ts'
import { signInPage } from '../sign-in/sign-in-page.ts'
import { fieldOf } from '../visitor/forms.ts'
import { sendPage } from '../visitor/send-page.ts'
import { keyName } from '../account/account-components.ts'
import { accountUrl, TRANSACTIONS_PATH } from '../account/account-url.ts'
import { balancePage } from './balance-page.ts'
import { CHART_FIELDS, chartRangeOf, periodOf } from './chart-range.ts'
import { firstStepRoutes } from './first-step-routes.ts'
import { firstSteps } from './first-steps-section.ts'
import { readHistoryFilter } from '../account/read-history-filter.ts'
import { readHome } from './read-home.ts'
import { spendingPageRoutes } from '../account/spending-page-routes.ts'
import { transactionsRoutes, type TransactionsDeps } from '../account/transactions-routes.ts'

export type BalancePageDeps = TransactionsDeps &
  Pick<CallReadDeps, 'callLog'> & {
    readonly authenticator: Pick<Authenticator, 'authenticate'>
    /** Whether the home page shows automatic top-up. */
    readonly sellsCredit?: boolean
  }

/** The latest calls below the chart. */
const LATEST_SHOWN = 10
const SWITCHED = 'This browser shows this account now.'

/** /balance: sign-in, then the home page. Requires `acceptForms`. */
export async function balancePageRoutes(
  app: FastifyInstance,
  deps: BalancePageDeps,
): Promise<void> {
  const { pages, histories, methods, authenticator } = deps
  const { database, now, site, findVisitor } = pages

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
    // Earlier versions filtered transactions here.
    const filter = Object.entries(readHistoryFilter(request.query)).filter(
      ([name]) => name !== 'done' && !CHART_FIELDS.includes(name),
    )
    if (filter.length > 0)
      return reply.redirect(accountUrl(TRANSACTIONS_PATH, visitor, Object.fromEntries(filter)), 303)
    return showHome(reply, visitor, request.query)
  })

  async function showHome(
    reply: FastifyReply,
    visitor: Visitor,
    query: unknown,
  ): Promise<FastifyReply> {
    const { caller } = visitor
    const range = chartRangeOf(query, now())
    // The count of today reads the log, too.
    await deps.callLog.flush()
    const [home, shown] = await Promise.all([
      readHome(
        { database, now, histories, sellsCredit: deps.sellsCredit === true },
        visitor,
        range,
      ),
      readShownCalls(deps, visitor, {
        filter: { ...(range.days === null ? periodOf(range) : {}), isListed: true },
        cursor: null,
        limit: LATEST_SHOWN,
      }),
    ])
    const { stack } = home
    const ids = range.by === 'key' ? stack.groups.flatMap(({ id }) => id ?? []) : []
    const { keys } = await listKeysAnd({ database, now }, caller, {
      limit: 1,
      cursor: null,
      mode: caller.mode,
      ids,
    })
    const keyNames = new Map(keys.map((key) => [key.id, keyName(key)]))
    const markup = balancePage(site, {
      visitor,
      ...home,
      chart: { stack, range, keyNames },
      firstSteps: home.steps === null ? null : firstSteps(site, visitor, home.steps),
      shown,
      ...(fieldOf(query, 'done') === 'switched' ? { confirmation: SWITCHED } : {}),
    })
    return sendPage(reply, 200, markup)
  }

  transactionsRoutes(app, deps)
  firstStepRoutes(app, { pages })
  spendingPageRoutes(app, { pages, histories, methods })
  keySignInRoutes(app, { pages, methods, authenticator })
}
