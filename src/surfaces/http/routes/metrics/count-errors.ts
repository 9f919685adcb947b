import type { FastifyInstance } from 'fastify'
import type { ErrorCode } from '../../../../errors/catalog.ts'
import type { Reading } from '../../../../lib/reading.ts'
import { toAppError } from '../../render-error.ts'

/** Counts answers that are errors by their code. Whatever is answered well costs nothing here. */
export function countErrors(app: FastifyInstance): Reading {
  const counts = new Map<ErrorCode, number>()
  app.addHook('onError', (_request, _reply, error, done) => {
    const { code } = toAppError(error)
    counts.set(code, (counts.get(code) ?? 0) + 1)
    done()
  })
  return {
    name: 'tollgate_http_errors_total',
    help: 'HTTP answers that were errors, by code: those of calls, and what was refused before it was one, such as "rate_limited" and "invalid_token".',
    kind: 'counter',
    labels: ['code'],
    read: () => [...counts].map(([code, value]) => ({ labels: { code }, value })),
  }
}
