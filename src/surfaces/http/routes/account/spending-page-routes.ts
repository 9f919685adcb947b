import type { FastifyInstance } from 'fastify'
import type { Histories } from '../../../../history/histories.ts'
import { readSpending, USUAL_DAYS } from '../../../../history/read-spending.ts'
import { seenBy } from '../../../../history/transaction-filter.ts'
import { listKeysAnd } from '../../../../keys/list-keys.ts'
import { bearerSecret } from '../../guards/require-caller.ts'
import { signInPage, type SignInMethods } from '../sign-in/sign-in-page.ts'
import type { PageDeps } from '../visitor/page-deps.ts'
import { sendPage } from '../visitor/send-page.ts'
import { PERIODS_DAYS, SPENDING_PATH, spendingPage } from './spending-page.ts'
import { requires } from '../../guards/requires.ts'

const MOST_NAMED_KEYS = 100

/** /balance/spending: spending by day, action and key. An unknown number of days means the default. */
export function spendingPageRoutes(
  app: FastifyInstance,
  {
    pages: { database, now, site, findVisitor },
    histories,
    methods,
  }: { readonly pages: PageDeps; readonly histories: Histories; readonly methods: SignInMethods },
): void {
  app.get<{ Querystring: Readonly<Record<string, unknown>> }>(
    SPENDING_PATH,
    requires('calls.view'),
    async (request, reply) => {
      // Redirects a program with a key to the API.
      if (bearerSecret(request) !== null)
        return reply.redirect(`/api/v1/spending${new URL(request.url, site.publicUrl).search}`, 303)
      const visitor = await findVisitor(request)
      if (visitor === null)
        return sendPage(reply, 200, signInPage(site, methods, { next: request.url }))
      const { caller } = visitor
      const days =
        PERIODS_DAYS.find((period) => String(period) === request.query['days']) ?? USUAL_DAYS
      const nowMs = now()
      const spending = await readSpending(
        { database: histories(caller.accountId), nowMs },
        { walletId: caller.walletId, days, filter: seenBy(caller) },
      )
      const { keys } = await listKeysAnd({ database, now }, caller, {
        limit: MOST_NAMED_KEYS,
        cursor: null,
        mode: caller.mode,
        ids: spending.keys.map(({ agent_id: id }) => id),
      })
      return sendPage(reply, 200, spendingPage(site, { visitor, spending, days, nowMs, keys }))
    },
  )
}
