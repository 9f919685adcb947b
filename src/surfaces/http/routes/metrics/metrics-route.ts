import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../../../../errors/app-error.ts'
import type { CallTally } from '../../../../lib/metrics/call-tally.ts'
import type { Reading } from '../../../../lib/reading.ts'
import { bearerSecret } from '../../guards/require-caller.ts'
import { countErrors } from './count-errors.ts'
import { countPageRefusals } from './count-page-refusals.ts'
import { createExposition } from './exposition.ts'

export type MetricsDeps = {
  /** Whoever sends it may read: the figures are those of the business. */
  readonly token: string
  readonly tally: CallTally
  readonly readings: readonly Reading[]
}

/** GET /metrics, for a Prometheus. To be called before other routes are added: their errors are counted. */
export function metricsRoute(app: FastifyInstance, { token, tally, readings }: MetricsDeps): void {
  const wanted = digestOf(token)
  const { contentType, write } = createExposition(tally, [
    ...readings,
    countErrors(app),
    countPageRefusals(app),
  ])
  app.get('/metrics', async (request, reply) => {
    const secret = bearerSecret(request)
    // Digests are of one length, and comparing them takes as long for each.
    if (secret === null || !timingSafeEqual(digestOf(secret), wanted)) {
      reply.header('www-authenticate', 'Bearer')
      throw new AppError('invalid_token', 'The figures of this gateway are for its operator.', {
        fix: 'Send the header "Authorization: Bearer <METRICS_TOKEN>", with the METRICS_TOKEN of the gateway. Keys do not open it.',
      })
    }
    return reply
      .type(contentType)
      .header('cache-control', 'no-store')
      .send(await write())
  })
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
