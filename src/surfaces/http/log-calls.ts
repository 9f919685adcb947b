import type { FastifyInstance } from 'fastify'
import { takeBooked } from '../../calls/booked-calls.ts'
import type { CallAnswer } from '../../calls/call.ts'
import type { BodyLog } from '../../history/bodies/body-log.ts'
import type { CallLog } from '../../history/log/call-log.ts'
import type { LoggedCall } from '../../history/log/logged-call.ts'
import type { AppError } from '../../errors/app-error.ts'
import type { Caller } from '../../keys/caller.ts'
import { rejectedCallerOf } from '../../keys/rejected-caller.ts'
import type { Clock } from '../../lib/clock.ts'
import { idTimeMs } from '../../lib/ids.ts'
import type { Reading } from '../../lib/reading.ts'
import type { Surface } from '../../lib/surface.ts'
import { toAppError } from './render-error.ts'
import { onFailure, type RouteRequest } from './route-objects.ts'

/** The action that a request names. Names from the caller can be anything. */
export type CalledAction = {
  readonly surface: Surface
  readonly service: string | null
  readonly action: string | null
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Set on routes that make calls. */
    calledAction?: (request: RouteRequest) => CalledAction
  }
}

/** Logs the calls of surfaces that leave no transaction. */
export type CallLogger = {
  readonly answered: (
    request: RouteRequest,
    answer: Pick<CallAnswer, 'status' | 'charged' | 'replayed'> & { readonly body?: unknown },
    called?: CalledAction,
  ) => void
  /** Requests without a known key are not logged. */
  readonly failed: (request: RouteRequest, error: unknown, called?: CalledAction) => void
}

export function createCallLogger(
  {
    log,
    bodies,
  }: { readonly log: Pick<CallLog, 'record'>; readonly bodies: Pick<BodyLog, 'record'> },
  now: Clock,
): CallLogger {
  function recordBodies(request: RouteRequest, response: string | null): void {
    const caller = request.caller as Caller | undefined
    if (caller?.storesBodies !== true) return
    bodies.record({
      id: request.id,
      walletId: caller.walletId,
      request: request.body,
      response,
    })
  }

  function record(
    request: RouteRequest,
    facts: Pick<LoggedCall, 'httpStatus' | 'error' | 'isReplayed' | 'isCharged'>,
    called: CalledAction | undefined,
    error?: AppError,
  ): void {
    const { id } = request
    const caller = request.caller ?? (error === undefined ? undefined : rejectedCallerOf(error))
    const what = called ?? request.routeOptions.config.calledAction?.(request)
    if (caller === undefined || what === undefined) return
    log.record({
      id,
      walletId: caller.walletId,
      keyId: caller.keyId,
      externalId: caller.externalId,
      ...what,
      ...facts,
      hasTransaction: facts.isCharged || takeBooked(id),
      durationMs: Math.max(0, now() - idTimeMs(id)),
    })
  }

  return {
    answered(request, { status, charged, replayed, body }, called) {
      recordBodies(request, typeof body === 'string' ? body : null)
      // A charged call has a transaction.
      if (charged > 0n && !replayed) return
      record(
        request,
        { httpStatus: status, error: null, isReplayed: replayed, isCharged: false },
        called,
      )
    },
    failed(request, error, called) {
      const known = toAppError(error)
      const { code, message, param = null, fix, spec, chargedMicros } = known
      if (called !== undefined || request.routeOptions.config.calledAction !== undefined)
        recordBodies(request, JSON.stringify({ ok: false, error: { code, message, param, fix } }))
      record(
        request,
        {
          httpStatus: spec.status,
          error: { code, message, param, fix },
          isReplayed: false,
          isCharged: chargedMicros > 0,
        },
        called,
        known,
      )
    },
  }
}

/** Logs every failed request of the routes with `calledAction`. Successful requests cost nothing here. */
export function logFailedCalls(app: FastifyInstance, logger: Pick<CallLogger, 'failed'>): void {
  onFailure(app, logger.failed)
}

/** The call log's counter for /metrics. */
export function readCallLog({ counts }: Pick<CallLog, 'counts'>): Reading {
  return {
    name: 'tollgate_call_log_calls_total',
    help: 'Calls without a charge by their place in the call log: a row, a common row of their minute, or none because the queue was full or the database away.',
    kind: 'counter',
    labels: ['place'],
    read: () => Object.entries(counts()).map(([place, value]) => ({ labels: { place }, value })),
  }
}
