import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { CallAnswer } from '../../calls/call.ts'
import type { CallLog } from '../../history/log/call-log.ts'
import type { LoggedCall } from '../../history/log/logged-call.ts'
import type { AppError } from '../../errors/app-error.ts'
import { rejectedCallerOf } from '../../keys/rejected-caller.ts'
import type { Clock } from '../../lib/clock.ts'
import { idTimeMs } from '../../lib/ids.ts'
import type { Reading } from '../../lib/reading.ts'
import type { Surface } from '../../lib/surface.ts'
import { toAppError } from './render-error.ts'

/** What a request calls. Names from the caller can be anything. */
export type CalledAction = {
  readonly surface: Surface
  readonly service: string | null
  readonly action: string | null
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Set on routes that make calls. */
    calledAction?: (request: FastifyRequest) => CalledAction
  }
}

/** Logs the calls of surfaces that leave no transaction. */
export type CallLogger = {
  readonly answered: (
    request: FastifyRequest,
    answer: Pick<CallAnswer, 'status' | 'charged' | 'replayed'>,
    called?: CalledAction,
  ) => void
  /** Requests without a known key are not logged. */
  readonly failed: (request: FastifyRequest, error: unknown, called?: CalledAction) => void
}

export function createCallLogger(log: Pick<CallLog, 'record'>, now: Clock): CallLogger {
  function record(
    request: FastifyRequest,
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
      durationMs: Math.max(0, now() - idTimeMs(id)),
    })
  }

  return {
    answered(request, { status, charged, replayed }, called) {
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
  app.addHook('onError', (request, _reply, error, done) => {
    logger.failed(request, error)
    done()
  })
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
