import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Visitor } from '../../../../auth/records/browser-session.ts'
import { AppError } from '../../../../errors/app-error.ts'
import { findCall, readCallId } from '../../../../history/find-call.ts'
import type { Histories } from '../../../../history/histories.ts'
import { listTransactions } from '../../../../history/list-transactions.ts'
import { readJobOfCall, type CallName } from '../../../../history/stored-answers.ts'
import { seenBy } from '../../../../history/transaction-filter.ts'
import { ownerOf } from '../../../../keys/caller.ts'
import { listKeysAnd } from '../../../../keys/list-keys.ts'
import { parsePublicId } from '../../../../lib/ids.ts'
import { bearerSecret } from '../../guards/require-caller.ts'
import { LONGEST_IDEMPOTENCY_KEY } from '../../idempotency.ts'
import { signInPage, type SignInMethods } from '../sign-in/sign-in-page.ts'
import type { PageDeps } from '../visitor/page-deps.ts'
import { describeError, sendErrorPage, sendPage } from '../visitor/send-page.ts'
import { callPage, CALLS_PATH, type ShownCall } from './call-page.ts'
import { requires } from '../../guards/requires.ts'

type CallPageDeps = {
  readonly pages: PageDeps
  readonly histories: Histories
  readonly methods: SignInMethods
  readonly actionIds: ReadonlySet<string>
}

/** /balance/calls: the state and stored answer of one call, by its id or its idempotency key. */
export function callPageRoutes(
  app: FastifyInstance,
  { pages: { database, now, site, findVisitor }, histories, methods, actionIds }: CallPageDeps,
): void {
  app.get<{ Querystring: Readonly<Record<string, unknown>> }>(
    CALLS_PATH,
    requires('calls.view'),
    (request, reply) => {
      const { idempotency_key: text } = request.query
      const key = typeof text === 'string' ? text.trim() : ''
      return show(request, reply, () => {
        if (key === '') return null
        if (key.length <= LONGEST_IDEMPOTENCY_KEY) return { idempotencyKey: key }
        throw new AppError(
          'invalid_params',
          `An Idempotency-Key has at most ${LONGEST_IDEMPOTENCY_KEY} characters.`,
          { param: 'idempotency_key' },
        )
      })
    },
  )

  app.get<{ Params: { id: string } }>(
    `${CALLS_PATH}/:id`,
    requires('calls.view'),
    (request, reply) => show(request, reply, () => ({ id: readCallId(request.params.id) })),
  )

  async function show(
    request: FastifyRequest,
    reply: FastifyReply,
    readName: () => CallName | null,
  ): Promise<FastifyReply> {
    // Redirects a program with a key to the API.
    if (bearerSecret(request) !== null)
      return reply.redirect(request.url.replace('/balance/', '/api/v1/'), 303)
    const visitor = await findVisitor(request)
    if (visitor === null)
      return sendPage(reply, 200, signInPage(site, methods, { next: request.url }))
    const view = { visitor, actionIds }
    try {
      const name = readName()
      const call = name === null ? null : await readCall(visitor, name)
      return sendPage(reply, 200, callPage(site, { ...view, name, call }))
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      const problem = describeError(error)
      return sendErrorPage(
        reply,
        error,
        callPage(site, { ...view, name: null, call: null, problem }),
      )
    }
  }

  async function readCall({ caller }: Visitor, name: CallName): Promise<ShownCall> {
    const history = histories(caller.accountId)
    const owner = ownerOf(caller)
    const { walletId } = caller
    const state = await findCall({ database: history, owner, walletId }, name)
    const id = state.request_id === null ? null : parsePublicId('request', state.request_id)
    if (id === null) return { state, line: null, job: null, key: null }
    const [{ transactions }, job] = await Promise.all([
      listTransactions(history, {
        walletId,
        filter: { id, ...seenBy(owner) },
        cursor: null,
        limit: 1,
      }),
      readJobOfCall({ database: history, owner }, id),
    ])
    const line = transactions[0] ?? null
    const keyId = line?.agent_id ?? null
    const { keys } = await listKeysAnd({ database, now }, caller, {
      limit: 1,
      cursor: null,
      mode: caller.mode,
      ids: keyId === null ? [] : [keyId],
    })
    return { state, line, job, key: keys.find((key) => key.id === keyId) ?? null }
  }
}
