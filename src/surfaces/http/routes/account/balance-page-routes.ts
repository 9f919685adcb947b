import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { buyPack, type CardDesk } from '../../../../accounts/card-desk.ts'
import { readBalance } from '../../../../accounts/balance.ts'
import { listTransactions, type TransactionPage } from '../../../../accounts/list-transactions.ts'
import { readPageSession } from '../../../../accounts/page-session.ts'
import type { Catalog } from '../../../../catalog/index.ts'
import type { Validator } from '../../../../catalog/validate.ts'
import type { Database } from '../../../../db/database.ts'
import { AppError } from '../../../../errors/app-error.ts'
import type { Authenticator } from '../../../../keys/authenticate.ts'
import type { Caller } from '../../../../keys/caller.ts'
import { listKeys } from '../../../../keys/list-keys.ts'
import type { Clock } from '../../../../lib/clock.ts'
import { readQuery } from '../../read-input.ts'
import type { Site } from '../../html/layout.ts'
import { loadAssets } from '../public/assets.ts'
import { balancePage, type Asked } from './balance-page.ts'
import { requireOwnForm } from './own-form.ts'
import { pageCookie } from './page-cookie.ts'
import { sendExport } from './send-export.ts'
import { sendPage } from './send-page.ts'
import { signInPage } from './sign-in-page.ts'
import { FORM_LIMIT_BYTES, leadsBack, signInRoutes } from './sign-in-routes.ts'
import { filterOf, PageFilterQuery } from './transaction-query.ts'

export type BalancePageOptions = {
  readonly database: Database
  readonly now: Clock
  readonly validator: Validator
  readonly catalog: Pick<Catalog, 'allActions'>
  readonly authenticator: Pick<Authenticator, 'authenticate'>
  readonly publicUrl: string
  readonly cards?: CardDesk
}

const ROWS_SHOWN = 50
const KEYS_OFFERED = 100

/** /balance for people: sign in with a key, then balance, credit, packs to buy and history as plain HTML. */
export async function balancePageRoutes(app: FastifyInstance, options: BalancePageOptions): Promise<void> {
  const { database, now, validator, authenticator, publicUrl, cards } = options
  const site: Site = { publicUrl, version: (await loadAssets()).version }
  const cookie = pageCookie(publicUrl)
  const actionIds = new Set(options.catalog.allActions().map(({ service, name }) => `${service.id}/${name}`))

  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) => {
    done(null, Object.fromEntries(new URLSearchParams(body as string)))
  })

  async function signedIn(request: FastifyRequest): Promise<Caller | null> {
    const token = cookie.read(request)
    return token === null ? null : readPageSession({ database, now }, token)
  }

  app.get('/balance', async (request, reply) => {
    const caller = await signedIn(request)
    if (caller === null) return sendPage(reply, 200, signInPage(site))
    return showBalance(reply, caller, withoutBlanks(request.query))
  })

  /** `problem`: what came of the visitor's wish, in words above the figures. */
  async function showBalance(reply: FastifyReply, caller: Caller, asked: Asked, problem?: AppError): Promise<FastifyReply> {
    const [balance, { keys }, history] = await Promise.all([
      readBalance({ database, now }, caller),
      listKeys({ database, now }, caller, { limit: KEYS_OFFERED, cursor: null }),
      readHistory(caller, asked),
    ])
    const status = problem?.spec.status ?? (history.page === null ? 400 : 200)
    return sendPage(reply, status, balancePage(site, { balance, keys, asked, packs: cards?.packs ?? [], actionIds, ...history, ...(problem === undefined ? {} : { problem: `${problem.message} ${problem.fix}` }) }))
  }

  /** A filter that makes no sense is a sentence on the page, not an error instead of it. */
  async function readHistory(caller: Caller, asked: Asked): Promise<{ page: TransactionPage } | { page: null; refusal: string }> {
    try {
      const { cursor, ...query } = readQuery(validator, PageFilterQuery, asked)
      return { page: await listTransactions(database, { walletId: caller.walletId, filter: filterOf(query), cursor: cursor ?? null, limit: ROWS_SHOWN }) }
    } catch (error) {
      if (error instanceof AppError && error.spec.status === 400) return { page: null, refusal: `${error.message} ${error.fix}` }
      throw error
    }
  }

  app.get('/balance/transactions.csv', async (request, reply) => {
    const caller = await signedIn(request)
    if (caller === null) return reply.redirect('/balance', 303)
    const { cursor: _page, ...query } = readQuery(validator, PageFilterQuery, withoutBlanks(request.query))
    return sendExport(reply, database, { walletId: caller.walletId, filter: filterOf(query), format: 'csv' })
  })

  signInRoutes(app, { database, now, authenticator, cookie, site })
  if (cards !== undefined) {
    leadsBack(app, '/balance/buy')
    app.post('/balance/buy', { bodyLimit: FORM_LIMIT_BYTES }, async (request, reply) => {
      requireOwnForm(request, publicUrl)
      const caller = await signedIn(request)
      if (caller === null) return reply.redirect('/balance', 303)
      const { cents } = (request.body ?? {}) as { cents?: unknown }
      try {
        return reply.redirect(await buyPack(cards, caller, Number(cents), `${publicUrl}/balance`), 303)
      } catch (error) {
        if (error instanceof AppError) return showBalance(reply, caller, {}, error)
        throw error
      }
    })
  }
}

/** An empty field of the form is no filter; of a field given twice the last one counts. */
function withoutBlanks(query: unknown): Asked {
  const asked: Record<string, string> = {}
  for (const [name, value] of Object.entries(query as Record<string, string | string[]>)) {
    const text = (Array.isArray(value) ? (value.at(-1) ?? '') : value).trim()
    if (text !== '') asked[name] = text
  }
  return asked
}
