import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../../../../errors/app-error.ts'
import type { CallTally } from '../../../../lib/metrics/call-tally.ts'
import type { Reading } from '../../../../lib/reading.ts'
import { bearerSecret } from '../../guards/require-caller.ts'
import { onFailure } from '../../route-objects.ts'
import { countErrors, type OnError } from './count-errors.ts'
import { countPageRefusals } from './count-page-refusals.ts'
import { createExposition } from './exposition.ts'

export type MetricsDeps = {
  /** The bearer token for the figures, which reveal the operator’s revenue. */
  readonly token: string
  readonly tally: CallTally
  readonly readings: readonly Reading[]
}

/** GET /metrics for Prometheus. Call it before other routes are added, so that their errors are counted. */
export function metricsRoute(
  app: FastifyInstance,
  { token, tally, readings }: MetricsDeps,
  onError: OnError = (failed) => onFailure(app, failed),
): void {
  const wanted = digestOf(token)
  const { contentType, write } = createExposition(tally, [
    ...readings,
    countErrors(onError),
    countPageRefusals(app),
  ])
  app.get('/metrics', async (request, reply) => {
    const secret = bearerSecret(request)
    // Digests have equal lengths, which a constant-time comparison needs.
    if (secret === null || !timingSafeEqual(digestOf(secret), wanted)) {
      reply.header('www-authenticate', 'Bearer')
      throw new AppError('invalid_token', 'Metrics require the operator’s token.', {
        fix: 'Send the header "Authorization: Bearer <METRICS_TOKEN>" with the METRICS_TOKEN of the gateway. API keys do not work here.',
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
