import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Visitor } from '../../../../auth/records/browser-session.ts'
import type { Catalog } from '../../../../catalog/index.ts'
import type { Action } from '../../../../catalog/vocabulary/define.ts'
import type { Validator } from '../../../../catalog/validate/validate.ts'
import { AppError } from '../../../../errors/app-error.ts'
import type { CallFilter } from '../../../../history/calls/call-filter.ts'
import type { CallWatch } from '../../../../history/calls/watch-calls.ts'
import { storesBodies } from '../../../../history/bodies/stored-bodies.ts'
import { countCalls } from '../../../../history/calls/count-calls.ts'
import { readCall } from '../../../../history/calls/read-call.ts'
import { readCallId } from '../../../../history/find-call.ts'
import { readJobOfCall, type CallName } from '../../../../history/stored-answers.ts'
import { seenBy } from '../../../../history/transaction-filter.ts'
import { ownerOf } from '../../../../keys/caller.ts'
import { listKeysAnd } from '../../../../keys/list-keys.ts'
import { parsePublicId } from '../../../../lib/ids.ts'
import { bearerSecret } from '../../guards/require-caller.ts'
import { requires } from '../../guards/requires.ts'
import { LONGEST_IDEMPOTENCY_KEY } from '../../idempotency.ts'
import { readQuery } from '../../read-input.ts'
import { CALLS_PATH } from '../account/account-url.ts'
import { ambiguousKey, findMatchingKeys } from '../account/find-matching-keys.ts'
import { signInPage, type SignInMethods } from '../sign-in/sign-in-page.ts'
import type { PageDeps } from '../visitor/page-deps.ts'
import { describeError, sendErrorPage, sendPage } from '../visitor/send-page.ts'
import { bodiesRoutes } from './bodies-routes.ts'
import { callPage, type ShownCall } from './call-page.ts'
import { CallPageQuery } from './call-query.ts'
import { sendCallExport } from './call-routes.ts'
import { chartPeriodOf, type CallsChartView } from './calls-chart.ts'
import { streamCalls } from './stream-calls.ts'
import { readShownCalls, type CallReadDeps } from './call-table.ts'
import { createTitles } from './call-titles.ts'
import { callsPage } from './calls-page.ts'
import { listFilterOf, readCallsFilter, type CallsFilter } from './calls-filter.ts'

export type CallPageDeps = CallReadDeps & {
  readonly pages: PageDeps
  readonly callWatch: CallWatch
  readonly methods: SignInMethods
  readonly catalog: Pick<Catalog, 'allActions' | 'services'>
  readonly validator: Validator
  /** Days for which calls without a charge are stored. */
  readonly days: number
}

const ROWS_SHOWN = 50

type Query = { Querystring: Readonly<Record<string, unknown>> }

/** /calls, its CSV file and the page of one call. */
export async function callPageRoutes(app: FastifyInstance, deps: CallPageDeps): Promise<void> {
  const { pages, histories, callLog, callWatch, methods, catalog, validator } = deps
  const { database, now, site, findVisitor } = pages
  const titleOf = createTitles(catalog)

  app.get(CALLS_PATH, requires('calls.view'), async (request, reply) => {
    if (bearerSecret(request) !== null)
      return reply.redirect(`/api/v1/calls${new URL(request.url, site.publicUrl).search}`, 303)
    const visitor = await findVisitor(request)
    if (visitor === null)
      return sendPage(reply, 200, signInPage(site, methods, { next: request.url }))
    const filter = readCallsFilter(request.query)
    const matchingKeys = await findMatchingKeys({ database, now }, visitor.caller, filter.key)
    const view = {
      visitor,
      filter,
      matchingKeys,
      days: deps.days,
      storesBodies: await storesBodies(database, visitor.caller.accountId),
    }
    try {
      if (filter.key !== undefined && matchingKeys.length !== 1) throw ambiguousKey(matchingKeys)
      const read = readFilter(filter, matchingKeys[0]?.id)
      const shown = await readShownCalls(deps, visitor, {
        filter: read,
        cursor: filter.cursor ?? null,
        limit: ROWS_SHOWN,
      })
      const chart = filter.cursor === undefined ? await readChart(visitor, { filter, read }) : null
      return sendPage(reply, 200, callsPage(site, { ...view, shown, chart }))
    } catch (error) {
      if (!(error instanceof AppError) || error.spec.status !== 400) throw error
      const problem = describeError(error)
      return sendErrorPage(
        reply,
        error,
        callsPage(site, { ...view, shown: null, chart: null, problem }),
      )
    }
  })

  app.get(`${CALLS_PATH}.csv`, requires('calls.view'), async (request, reply) => {
    const visitor = await findVisitor(request)
    if (visitor === null) return reply.redirect(CALLS_PATH, 303)
    const { caller } = visitor
    const filter = readCallsFilter(request.query)
    const matchingKeys = await findMatchingKeys({ database, now }, caller, filter.key)
    if (filter.key !== undefined && matchingKeys.length !== 1) throw ambiguousKey(matchingKeys)
    await callLog.flush()
    return sendCallExport(reply, histories(caller.accountId), {
      walletId: caller.walletId,
      filter: { ...readFilter(filter, matchingKeys[0]?.id), ...seenBy(caller) },
    })
  })

  app.get(`${CALLS_PATH}/stream`, requires('calls.view'), async (request, reply) => {
    const recheck = async (): Promise<Visitor> => {
      const visitor = await findVisitor(request)
      if (visitor !== null) return visitor
      throw new AppError('invalid_token', 'The session of this browser has expired.', {
        fix: 'Sign in again.',
      })
    }
    const { caller } = await recheck()
    return streamCalls({ histories, callWatch, recheck }, caller, request, reply)
  })

  app.get<Query>(`${CALLS_PATH}/find`, requires('calls.view'), (request, reply) => {
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
  })

  app.get<{ Params: { id: string } }>(
    `${CALLS_PATH}/:id`,
    requires('calls.view'),
    (request, reply) => show(request, reply, () => ({ id: readCallId(request.params.id) })),
  )

  bodiesRoutes(app, deps)

  // Addresses of earlier versions.
  app.get('/balance/calls', requires('public'), (request, reply) =>
    reply.redirect(request.url.replace('/balance/calls', `${CALLS_PATH}/find`), 301),
  )
  app.get('/balance/calls/:id', requires('public'), (request, reply) =>
    reply.redirect(request.url.replace('/balance/calls', CALLS_PATH), 301),
  )

  /** Call it after a read of the list, which flushes the log. */
  async function readChart(
    { caller }: Visitor,
    { filter, read }: { readonly filter: CallsFilter; readonly read: CallFilter },
  ): Promise<CallsChartView> {
    const nowMs = now()
    const { fromMs, bucketMs, label } = chartPeriodOf(filter, read, nowMs)
    const counts = await countCalls(
      { database: histories(caller.accountId) },
      {
        walletId: caller.walletId,
        filter: { ...read, ...seenBy(caller), fromMs },
        toMs: nowMs,
        bucketMs,
      },
    )
    return { counts, label }
  }

  function readFilter(filter: CallsFilter, keyId: string | undefined) {
    return listFilterOf(filter, keyId, {
      nowMs: now(),
      isService: (id) => catalog.services.some((service) => service.id === id),
      validate: (query) => {
        const { cursor: _page, ...fields } = readQuery(validator, CallPageQuery, query)
        return fields
      },
    })
  }

  async function show(
    request: FastifyRequest,
    reply: FastifyReply,
    readName: () => CallName | null,
  ): Promise<FastifyReply> {
    // Redirects a program with a key to the API.
    if (bearerSecret(request) !== null)
      return reply.redirect(request.url.replace(/^\/calls(?:\/find)?/, '/api/v1/calls'), 303)
    const visitor = await findVisitor(request)
    if (visitor === null)
      return sendPage(reply, 200, signInPage(site, methods, { next: request.url }))
    const view = { visitor }
    try {
      const name = readName()
      const call = name === null ? null : await readShown(visitor, name)
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

  async function readShown({ caller }: Visitor, name: CallName): Promise<ShownCall> {
    await callLog.flush()
    const reader = {
      database: histories(caller.accountId),
      owner: ownerOf(caller),
      walletId: caller.walletId,
    }
    const state = await readCall(reader, name)
    const { call } = state
    const id = state.request_id === null ? null : parsePublicId('request', state.request_id)
    const job = id === null ? null : await readJobOfCall(reader, id)
    const keyId = call?.agent_id ?? null
    const { keys } = await listKeysAnd({ database, now }, caller, {
      limit: 1,
      cursor: null,
      mode: caller.mode,
      ids: keyId === null ? [] : [keyId],
    })
    return {
      state,
      job,
      key: keys.find((key) => key.id === keyId) ?? null,
      action: actionOf(call?.service ?? null, call?.action ?? null),
      title: call === null ? null : titleOf(call),
    }
  }

  function actionOf(service: string | null, action: string | null): Action | null {
    return (
      catalog.allActions().find((entry) => entry.service.id === service && entry.name === action)
        ?.action ?? null
    )
  }
}
