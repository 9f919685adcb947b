import type { CallTools, Hop } from '../../catalog/handlers.ts'
import { AppError } from '../../errors/app-error.ts'
import type { Ranking } from './fuse.ts'
import { dataOf } from './reply.ts'
import type { SearchService } from './search-services.ts'
import type { SearchWish } from './wish.ts'

/** One vendor call as the answer shows it. */
export type CallLine = { readonly service: string; readonly action: string; readonly ok: boolean; readonly latency_ms: number; readonly row_count: number; readonly skipped?: string }

export type Asked = { readonly call: CallLine; readonly ranking: Ranking; readonly hop: Hop | null }

/** Asks one service. A failure of any kind is an answer without hits: the others carry the search. */
export async function askService(tools: Pick<CallTools, 'invoke'>, service: SearchService, wish: SearchWish): Promise<Asked> {
  try {
    const { hop, outcome } = await tools.invoke(service.service, service.action, service.input(wish))
    return asked(service, service.hits(dataOf(outcome)), hop)
  } catch (error) {
    // This service does not take what was asked, such as a longer query than it reads.
    if (error instanceof AppError) return asked(service, [], null)
    throw error
  }
}

/** As `askService`; a service that has not answered within `limitMs` is left behind. */
export async function askWithin(tools: Pick<CallTools, 'invoke'>, service: SearchService, wish: SearchWish, limitMs: number): Promise<Asked> {
  const late = asked(service, [], null)
  return within(askService(tools, service, wish), limitMs, { ...late, call: { ...late.call, latency_ms: limitMs, skipped: 'too_slow' } })
}

function asked({ service, action, honoursFreshness }: SearchService, hits: Ranking['hits'], hop: Hop | null): Asked {
  const skipped = hop?.skipped === undefined ? {} : { skipped: hop.skipped }
  return {
    hop,
    call: { service, action, ok: hop?.ok ?? false, latency_ms: hop?.latency_ms ?? 0, row_count: hits.length, ...skipped },
    ranking: { source: service, honoursFreshness, hits },
  }
}

async function within<T>(work: Promise<T>, limitMs: number, otherwise: T): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<T>((resolve) => {
    timer = setTimeout(() => resolve(otherwise), limitMs)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
