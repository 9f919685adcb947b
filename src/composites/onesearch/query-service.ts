import type { CallTools, Hop } from '../../catalog/vocabulary/handlers.ts'
import { failed, type Outcome } from '../../catalog/vocabulary/outcome.ts'
import { AppError } from '../../errors/app-error.ts'
import type { ErrorCode } from '../../errors/catalog.ts'
import type { Ranking } from './fuse.ts'
import { dataOf } from './read-reply.ts'
import type { SearchService } from './search-services.ts'
import type { SearchRequest } from './search-request.ts'

/** One vendor call in the answer. */
export type CallLine = {
  readonly service: string
  readonly action: string
  readonly ok: boolean
  readonly latency_ms: number
  readonly row_count: number
  readonly skipped?: string
  readonly error?: ErrorCode
}

export type ServiceResult = { readonly call: CallLine; readonly ranking: Ranking }

/** Queries one service, for at most `limitMs`. Every failure is a result without hits: other services may have some. */
export async function queryService(
  tools: Pick<CallTools, 'invoke'>,
  service: SearchService,
  request: SearchRequest,
  limitMs: number,
): Promise<ServiceResult> {
  try {
    const { hop, outcome } = await tools.invoke(
      service.service,
      service.action,
      service.input(request),
      limitMs,
    )
    return toResult(service, outcome, hop)
  } catch (error) {
    // The service rejects the input, for example because the query is too long.
    if (error instanceof AppError)
      return toResult(service, failed(error.code, error.message), undefined)
    throw error
  }
}

function toResult(service: SearchService, outcome: Outcome, hop: Hop | undefined): ServiceResult {
  const hits = service.hits(dataOf(outcome))
  return {
    call: {
      service: service.service,
      action: service.action,
      ok: hop?.ok ?? false,
      latency_ms: hop?.latency_ms ?? 0,
      row_count: hits.length,
      ...(hop?.skipped === undefined ? {} : { skipped: hop.skipped }),
      ...(outcome.kind === 'failed' && hop?.skipped === undefined ? { error: outcome.code } : {}),
    },
    ranking: { source: service.service, honoursFreshness: service.honoursFreshness, hits },
  }
}
