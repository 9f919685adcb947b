import type { FastifyInstance } from 'fastify'
import { errorCatalog, type ErrorCode } from '../../../../errors/catalog.ts'
import type { Reading } from '../../../../lib/reading.ts'
import { toAppError } from '../../render-error.ts'

/** Counts answers that are errors by their code, from zero: the first of a code is an increase only where there was something before. Whatever is answered well costs nothing here. */
export function countErrors(app: FastifyInstance): Reading {
  const counts = new Map((Object.keys(errorCatalog) as ErrorCode[]).map((code) => [code, 0]))
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
