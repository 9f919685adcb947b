import type { Hop } from '../../catalog/vocabulary/handlers.ts'
import type { UnderWay } from '../shared/under-way.ts'

export type PageFormat = 'markdown' | 'html' | 'text'

/** A page as one reader brought it back, before it is judged. */
export type ReadPage = {
  readonly content: string
  readonly format: PageFormat
  readonly title: string | null
  readonly finalUrl: string | null
  /** Status of the page itself; 200 when the reader does not report it. */
  readonly status: number
  /** What was made of it already, where the raw page was at hand: a wall shows there more clearly than in its text. */
  readonly judgement?: Judgement
}

export type Flag = 'blocked' | 'thin_content'
export type Judgement = { readonly yield: number; readonly flags: readonly Flag[] }

/** A vendor call as rows show it: by the service and action that were called, with what tells two rungs of one action apart. */
export type PageHop = Hop & { readonly stealth?: true }

/** One page of an answer, in the words of the API. */
export type PageRow = {
  readonly id: string
  readonly url: string
  readonly final_url: string | null
  readonly title: string | null
  readonly content: string | null
  readonly format: PageFormat
  readonly chars: number
  readonly provider: string | null
  readonly yield: number
  readonly quality_flags: readonly Flag[]
  readonly hops: readonly PageHop[]
  readonly hard: boolean
  readonly charged_cents: number
  readonly charged_micros: number
  readonly error?: string
  /** Beside `error`: what the last reader that tried said of the page, or of itself where none said anything of the page. */
  readonly reason?: string
}

/** Why no reader is asked for an address: a PDF, a picture or another file is there, or it leads to no public network. */
export type AddressRefusal =
  | { readonly error: 'document'; readonly contentType: string }
  | { readonly error: 'bad_url' }

/** A page in progress: where its climb stands. */
export type Climb = {
  readonly url: string
  /** What readers are asked for: `url`, or the same over http. */
  address: string
  /** The same over http, where that will do; null where the address says https. */
  readonly overHttp: string | null
  /** Whether its host takes no connection as `url` says. */
  isUnreachable: boolean
  readonly hops: PageHop[]
  underWay: UnderWay | null
  winner: { readonly page: ReadPage; readonly judgement: Judgement; readonly hop: PageHop } | null
  lastFlags: readonly Flag[]
  lastReason: string | null
  /** What a reader said of the page stays when a later one says no more than that it failed. */
  isReasonOfPage: boolean
  /** Whether a rung beyond the cheap ones was tried. */
  isHard: boolean
  refusal: AddressRefusal | null
  /** Why the climb ended early; null when it went all the way. */
  cutShort: 'over budget' | 'cancelled' | 'deadline' | null
}

export function startClimb(url: string, overHttp: string | null = null): Climb {
  return {
    url,
    address: url,
    overHttp,
    isUnreachable: false,
    hops: [],
    underWay: null,
    winner: null,
    lastFlags: [],
    lastReason: null,
    isReasonOfPage: false,
    isHard: false,
    refusal: null,
    cutShort: null,
  }
}

export function rowOf(climb: Climb, wanted: 'markdown' | 'html'): PageRow {
  const { url, winner, hops, isHard: hard } = climb
  if (winner === null) {
    return {
      id: url,
      url,
      final_url: null,
      title: null,
      content: null,
      format: wanted,
      chars: 0,
      provider: null,
      yield: 0,
      quality_flags: climb.lastFlags,
      hops,
      hard,
      charged_cents: 0,
      charged_micros: 0,
      error: errorOf(climb),
      ...(climb.lastReason === null ? {} : { reason: climb.lastReason }),
    }
  }
  const { page, judgement, hop } = winner
  return {
    id: url,
    url,
    final_url: page.finalUrl,
    title: page.title,
    content: page.content,
    format: page.format,
    chars: page.content.length,
    provider: readerOf(hop),
    yield: judgement.yield,
    quality_flags: judgement.flags,
    hops,
    hard,
    charged_cents: hop.charged_cents,
    charged_micros: hop.charged_micros,
  }
}

/** The stealth browser is a reader of its own, although it is called by the action of another. */
function readerOf({ provider, stealth }: PageHop): string {
  return stealth === true ? `${provider}-stealth` : provider
}

/** `document`, `bad_url`: there is no page. `blocked`: every reader that was tried met a wall or an empty shell. `unreadable`: none got that far. */
function errorOf({ hops, lastFlags, refusal, cutShort }: Climb): string {
  if (refusal !== null) return refusal.error
  if (cutShort !== null) return cutShort
  if (lastFlags.length > 0) return 'blocked'
  return hops.every(({ skipped }) => skipped !== undefined)
    ? 'no reader is configured'
    : 'unreadable'
}
