import type { CallTools, Hop } from '../../catalog/vocabulary/handlers.ts'
import { failed, type Outcome } from '../../catalog/vocabulary/outcome.ts'
import { AppError } from '../../errors/app-error.ts'
import type { ErrorCode } from '../../errors/catalog.ts'
import type { Ranking } from './fuse.ts'
import { dataOf } from './reply.ts'
import type { SearchService } from './search-services.ts'
import type { SearchWish } from './wish.ts'

/** One vendor call as the answer shows it. */
export type CallLine = {
  readonly service: string
  readonly action: string
  readonly ok: boolean
  readonly latency_ms: number
  readonly row_count: number
  readonly skipped?: string
  readonly error?: ErrorCode
}

export type ServiceAnswer = { readonly call: CallLine; readonly ranking: Ranking }

/**
 * Asks one service, for at most `limitMs`. A failure of any kind is an answer without hits: the others carry the
 * search.
 */
export async function askService(
  tools: Pick<CallTools, 'invoke'>,
  service: SearchService,
  wish: SearchWish,
  limitMs: number,
): Promise<ServiceAnswer> {
  try {
    const { hop, outcome } = await tools.invoke(
      service.service,
      service.action,
      service.input(wish),
      limitMs,
    )
    return asked(service, outcome, hop)
  } catch (error) {
    // This service does not take what was asked, such as a longer query than it reads.
    if (error instanceof AppError)
      return asked(service, failed(error.code, error.message), undefined)
    throw error
  }
}

function asked(service: SearchService, outcome: Outcome, hop: Hop | undefined): ServiceAnswer {
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
