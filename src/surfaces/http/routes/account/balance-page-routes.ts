import type { FastifyInstance, FastifyReply } from 'fastify'
import { readBalance } from '../../../../accounts/balance.ts'
import { buyPack, type CardDesk } from '../../../../accounts/card-desk.ts'
import type { Histories } from '../../../../history/histories.ts'
import { listTransactions, type TransactionPage } from '../../../../history/list-transactions.ts'
import type { Visitor } from '../../../../auth/records/browser-session.ts'
import { seenBy } from '../../../../history/transaction-filter.ts'
import type { Catalog } from '../../../../catalog/index.ts'
import type { Validator } from '../../../../catalog/validate/validate.ts'
import { AppError } from '../../../../errors/app-error.ts'
import type { Authenticator } from '../../../../keys/authenticate.ts'
import type { Caller } from '../../../../keys/caller.ts'
import type { KeyRecord } from '../../../../keys/key-record.ts'
import { listKeysAnd } from '../../../../keys/list-keys.ts'
import { KEYS_NAMED, keysNamed } from './keys-named.ts'
import { bearerSecret } from '../../guards/require-caller.ts'
import { readQuery } from '../../read-input.ts'
import { keySignInRoutes } from '../sign-in/key-sign-in-routes.ts'
import { signInPage, type SignInMethods } from '../sign-in/sign-in-page.ts'
import { fieldOf, FORM_LIMIT_BYTES, redirectFormGet } from '../visitor/forms.ts'
import { requireOwnForm } from '../visitor/own-form.ts'
import type { PageDeps } from '../visitor/page-deps.ts'
import { sendPage, sendRefusal, wordsOf } from '../visitor/send-page.ts'
import { dollarText } from './account-pieces.ts'
import { balancePage, type Asked } from './balance-page.ts'
import { checkoutPage } from './checkout-page.ts'
import { sendExport } from './send-export.ts'
import { spendingPageRoutes } from './spending-page-routes.ts'
import { filterOf, PageFilterQuery } from './transaction-query.ts'

export type BalancePageOptions = {
  readonly pages: PageDeps
  readonly histories: Histories
  readonly methods: SignInMethods
  readonly validator: Validator
  readonly catalog: Pick<Catalog, 'allActions'>
  readonly authenticator: Pick<Authenticator, 'authenticate'>
  readonly cards?: CardDesk
}

const ROWS_SHOWN = 50
const KEYS_OFFERED = 100

/** /balance for people: sign in, then balance, credit, packs to buy and history as plain HTML. Relies on `acceptForms`. */
export async function balancePageRoutes(
  app: FastifyInstance,
  options: BalancePageOptions,
): Promise<void> {
  const { pages, histories, methods, validator, authenticator, cards } = options
  const { database, now, site, visitors } = pages
  const actionIds = new Set(
    options.catalog.allActions().map(({ service, name }) => `${service.id}/${name}`),
  )

  app.get('/balance', async (request, reply) => {
    // A program with its key signs in nowhere: what it is after is behind the key.
    if (bearerSecret(request) !== null)
      return reply.redirect(
        `/api/v1/transactions${new URL(request.url, site.publicUrl).search}`,
        303,
      )
    const visitor = await visitors(request)
    if (visitor === null)
      return sendPage(reply, 200, signInPage(site, methods, { next: request.url }))
    return showBalance(reply, visitor, withoutBlanks(request.query))
  })

  /** `problem`: what came of the visitor's wish, in words above the figures. */
  async function showBalance(
    reply: FastifyReply,
    visitor: Visitor,
    asked: Asked,
    problem?: AppError,
  ): Promise<FastifyReply> {
    const { caller } = visitor
    const named = await keysNamed({ database, now }, caller, asked.key)
    const isClear = asked.key === undefined || named.length === 1
    const [balance, history] = await Promise.all([
      readBalance({ database, now }, caller),
      isClear ? readHistory(caller, withKey(asked, named)) : unclearKey(named),
    ])
    const ids = [
      named[0]?.id,
      ...(history.page?.transactions ?? []).map((line) => line.agent_id),
    ].filter((id) => id !== undefined && id !== null)
    const { keys, isComplete } = await listKeysAnd({ database, now }, caller, {
      limit: KEYS_OFFERED,
      cursor: null,
      mode: caller.mode,
      ids,
    })
    const markup = balancePage(site, {
      visitor,
      balance,
      keys,
      keysOffered: isComplete,
      keysNamed: named,
      asked,
      packs: cards?.packs ?? [],
      actionIds,
      ...history,
      ...(problem === undefined ? {} : { problem: wordsOf(problem) }),
    })
    return problem === undefined
      ? sendPage(reply, history.page === null ? 400 : 200, markup)
      : sendRefusal(reply, problem, markup)
  }

  /** A filter that makes no sense is a sentence on the page, not an error instead of it. */
  async function readHistory(
    caller: Caller,
    asked: Asked,
  ): Promise<{ page: TransactionPage } | { page: null; refusal: string }> {
    try {
      const { cursor, ...query } = readQuery(validator, PageFilterQuery, asked)
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
        return { page: null, refusal: wordsOf(error) }
      throw error
    }
  }

  app.get('/balance/transactions.csv', async (request, reply) => {
    const visitor = await visitors(request)
    if (visitor === null) return reply.redirect('/balance', 303)
    const asked = withoutBlanks(request.query)
    const named = await keysNamed({ database, now }, visitor.caller, asked.key)
    const { cursor: _page, ...query } = readQuery(validator, PageFilterQuery, withKey(asked, named))
    return sendExport(reply, histories(visitor.caller.accountId), {
      walletId: visitor.caller.walletId,
      filter: { ...filterOf(query), ...seenBy(visitor.caller) },
      format: 'csv',
    })
  })

  spendingPageRoutes(app, { pages, histories, methods })
  keySignInRoutes(app, { pages, methods, authenticator })
  if (cards !== undefined) {
    redirectFormGet(app, '/balance/buy')
    app.post('/balance/buy', { bodyLimit: FORM_LIMIT_BYTES }, async (request, reply) => {
      requireOwnForm(request, site.publicUrl)
      const visitor = await visitors(request)
      // A key that sees only what it makes is shown no credit to add.
      if (visitor === null || visitor.caller.scope === 'own') return reply.redirect('/balance', 303)
      try {
        const cents = Number(fieldOf(request.body, 'cents'))
        const checkout = await buyPack(cards, visitor.caller, cents, `${site.publicUrl}/balance`)
        return sendPage(
          reply,
          200,
          checkoutPage(site, { checkout, cents: dollarText(cents * 10_000) }),
        )
      } catch (error) {
        if (error instanceof AppError) return showBalance(reply, visitor, {}, error)
        throw error
      }
    })
  }
}

/** The filter with the id of the one key that was named. */
function withKey(asked: Asked, [named, ...others]: readonly KeyRecord[]): Asked {
  return named === undefined || others.length > 0 ? asked : { ...asked, key: named.id }
}

function unclearKey({ length }: readonly unknown[]): { page: null; refusal: string } {
  if (length === 0)
    return {
      page: null,
      refusal:
        'No key matches. Type a part of its label, its external id, the beginning of its secret, or its id.',
    }
  return {
    page: null,
    refusal: `${length >= KEYS_NAMED ? `${KEYS_NAMED} keys or more` : `${length} keys`} match. Choose one of them, or type more of its name.`,
  }
}

/** An empty field of the form is no filter; of a field given twice the last one counts. */
function withoutBlanks(query: unknown): Asked {
  const asked: Record<string, string> = {}
  for (const [name, value] of Object.entries(query as Record<string, string | string[]>)) {
    // Which wallet is looked at is the visitor's matter, and no filter.
    if (name === 'mode') continue
    const text = (Array.isArray(value) ? (value.at(-1) ?? '') : value).trim()
    if (text !== '') asked[name] = text
  }
  return asked
}
