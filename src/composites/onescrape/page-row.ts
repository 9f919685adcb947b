import type { TextRest } from '../../catalog/vocabulary/text-rest.ts'
import type { Hop } from '../../catalog/vocabulary/handlers.ts'
import type { PageFields } from '../../reader/embedded/page-fields.ts'
import type { ActiveCall } from '../shared/active-call.ts'

export type PageFormat = 'markdown' | 'html' | 'text'

/** A page as a reader returned it. */
export type ReadPage = {
  readonly content: string
  readonly format: PageFormat
  readonly title: string | null
  readonly finalUrl: string | null
  /** The page's status; 200 if the reader does not report one. */
  readonly status: number
  /** Set by readers that see the page's source, where walls are easier to detect than in its text. */
  readonly judgement?: Judgement
  /** Author, dates, site, image and price, if the gateway parsed the page. */
  readonly fields?: PageFields | undefined
}

export type Flag = 'blocked' | 'thin_content'
export type Judgement = { readonly yield: number; readonly flags: readonly Flag[] }

/** A vendor call in a row: the called service and action. `stealth` separates the two tiers that call render2/scrape. */
export type PageHop = Hop & { readonly stealth?: true }

/** One page of an answer, with the field names of the API. */
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
  /** The content was cut to `max_chars`. */
  readonly truncated?: boolean
  /** The whole content, if it was cut. */
  readonly rest?: TextRest
  /** The content in parts, if the call requests them. */
  readonly chunks?: readonly { readonly heading: string; readonly text: string }[]
  /** Author, dates, site, image and price. Absent for readers that do not return them. */
  readonly fields?: PageFields
  readonly error?: string
  /** The last failure of a reader. Failures that describe the page take precedence over the reader's own. */
  readonly reason?: string
}

/** The reason why no reader is called: the address leads to a file or to a private network. */
export type AddressRefusal =
  | { readonly error: 'document'; readonly contentType: string }
  | { readonly error: 'bad_url' }

/** A reading that passed the judge. `call` is the vendor call, which pages of one batch share. */
export type AcceptedReading = {
  readonly page: ReadPage
  readonly judgement: Judgement
  readonly hop: PageHop
  readonly call: Hop
}

/** The state of one page on its way through a fallback chain. */
export type PageTask = {
  readonly url: string
  /** The address for readers: `url` or `httpUrl`. */
  address: string
  /** `url` with http; null if the caller requires https. */
  readonly httpUrl: string | null
  /** The host accepts no connection at `url`. */
  isUnreachable: boolean
  readonly hops: PageHop[]
  activeCall: ActiveCall | null
  winner: AcceptedReading | null
  /** A reading without scripts and with a low yield. It wins if no browser reads the page better. */
  doubtful: AcceptedReading | null
  lastFlags: readonly Flag[]
  lastReason: string | null
  /** `lastReason` describes the page. A later failure of a reader does not replace it. */
  isReasonOfPage: boolean
  /** A tier beyond the cheap ones was tried. */
  isHard: boolean
  refusal: AddressRefusal | null
  /** The reason why later tiers were not tried. */
  cutShort: 'over budget' | 'cancelled' | 'deadline' | null
}

export function createTask(url: string, httpUrl: string | null = null): PageTask {
  return {
    url,
    address: url,
    httpUrl,
    isUnreachable: false,
    hops: [],
    activeCall: null,
    winner: null,
    doubtful: null,
    lastFlags: [],
    lastReason: null,
    isReasonOfPage: false,
    isHard: false,
    refusal: null,
    cutShort: null,
  }
}

export function rowOf(task: PageTask, wanted: PageFormat): PageRow {
  const { url, winner, hops, isHard: hard } = task
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
      quality_flags: task.lastFlags,
      hops,
      hard,
      charged_cents: 0,
      charged_micros: 0,
      error: errorOf(task),
      ...(task.lastReason === null ? {} : { reason: task.lastReason }),
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
    ...(page.fields === undefined ? {} : { fields: page.fields }),
  }
}

/** The stealth browser is listed as a reader of its own, although it calls render2/scrape. */
function readerOf({ provider, stealth }: PageHop): string {
  return stealth === true ? `${provider}-stealth` : provider
}

/** `blocked`: the last reader to return a page met a wall or an empty shell. `unreadable`: no reader returned one. */
function errorOf({ hops, lastFlags, refusal, cutShort }: PageTask): string {
  if (refusal !== null) return refusal.error
  if (cutShort !== null) return cutShort
  if (lastFlags.length > 0) return 'blocked'
  return hops.every(({ skipped }) => skipped !== undefined)
    ? 'no reader is configured'
    : 'unreadable'
}
