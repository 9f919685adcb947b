import { findPlaces } from '../../../calls/lanes/endpoints.ts'
import type { Reply, WireRequest } from '../../../catalog/vocabulary/wire.ts'
import {
  readEngineReply,
  unreadableReply,
  type EngineReply,
} from '../../../composites/search/engine-reply.ts'
import {
  createFindPages,
  type EngineTools,
  type FindPages,
} from '../../../composites/search/find-pages.ts'
import { searxng } from '../../../composites/search/searxng.ts'
import { AppError, invariant } from '../../../errors/app-error.ts'
import { systemClock, type Clock } from '../../../lib/clock.ts'
import { Deadline } from '../../../lib/deadline.ts'
import { isFields } from '../../../lib/json-fields.ts'
import { createSlots, type Slots } from '../../../lib/fairness/fair-slots.ts'
import { newId } from '../../../lib/ids.ts'
import { createUnpaidWork } from '../../../lib/fairness/unpaid-work.ts'
import type { Pages } from '../../../reader/create-pages.ts'
import { createPlainDispatcher } from '../../../upstream/http1/plain-dispatcher.ts'
import { createReplyCache } from '../../../upstream/reply-cache.ts'
import { send } from '../../../upstream/send.ts'
import { errorOf, type Sent } from '../../../upstream/sent.ts'
import type { Target } from '../../../upstream/target.ts'
import type { Config } from '../../settings/config.ts'
import { isPartEnabled } from '../../settings/in-house-settings.ts'
import type { Egress } from '../egress.ts'

/** The operator's search engine. */
export type Search = { readonly findPages: FindPages }

/** For the descriptions of the actions. */
export const NOTE_OF_SEARCH =
  "This gateway searches with its operator's own metasearch engine. `engines` of the answer names the engines that answered and those that did not. Queries have at most 400 characters."

type SearchDeps = {
  /** Without gates there are no limits. */
  readonly egress: Pick<Egress, 'operatorDispatcher'> & Partial<Pick<Egress, 'gates'>>
  readonly pages: Pick<Pages, 'checkAddress'>
  readonly now: Clock
}

/** With the wait within the limits, for at most half of it. */
const LIMIT_MS = 10_000
const PLACES = { places: 3, perAccount: 2, waiting: 64, what: 'a search' }
/** Replies of at most 250 kB. */
const CACHED_REPLIES = 200
/** A search without results is free, and the engines count it like any other. */
const FURTHER_COST_OF_MISS = 3

/** The search of this gateway; null without SEARXNG_URL, and if IN_HOUSE leaves it out. */
export function openSearch(
  { inHouse, userAgent }: Pick<Config, 'inHouse' | 'userAgent'>,
  { egress, pages, now }: SearchDeps,
): Search | null {
  const { searxngUrl: url, searchesPerHour: most } = inHouse
  if (url === null || !isPartEnabled(inHouse, 'search', true)) return null
  const target = findTarget(url, userAgent, egress)
  const requests = createUnpaidWork({ most, now, what: 'searches' })
  const slots = createSlots(PLACES)
  const cache = createReplyCache(now, { most: CACHED_REPLIES, isKept: isWhole })

  async function ask(
    wire: WireRequest,
    { signal, ...tools }: EngineTools,
    read: (body: unknown) => unknown,
  ): Promise<unknown> {
    signal.throwIfAborted()
    const sent = await cache.get(target, wire, async () => {
      requests.admit(tools.accountId)
      const answer = await inTime(tools, signal, (deadline) =>
        sendInPlace(slots, target, wire, { ...tools, deadline }),
      )
      return answer.ok ? withBody(answer.reply, read(answer.reply.body)) : answer
    })
    if (sent.ok) return sent.reply.body
    throw errorOf(sent.failure)
  }

  async function search(wire: WireRequest, tools: EngineTools): Promise<EngineReply> {
    const reply = await ask(wire, tools, (body) => {
      const read = readEngineReply(body)
      const cost = read?.hits.length === 0 ? 1 + FURTHER_COST_OF_MISS : 1
      requests.add(tools.accountId, cost)
      return read
    })
    // `read` returned it.
    return (reply as EngineReply | null) ?? Promise.reject(unreadableReply())
  }

  const list = (wire: WireRequest, tools: EngineTools): Promise<unknown> =>
    ask(wire, tools, (body) => body)
  const isAllowed = createAddressFilter(pages)
  return { findPages: createFindPages({ requests: { search, list }, isAllowed }) }
}

/** Sends one request to SearXNG, outside the limits. For the doctor. */
export async function askSearxng(url: string, userAgent: string, wire: WireRequest): Promise<Sent> {
  const operatorDispatcher = createPlainDispatcher()
  const deadline = new Deadline(LIMIT_MS)
  try {
    return await send(findTarget(url, userAgent, { operatorDispatcher }), wire, {
      deadline,
      vendorKey: newId(systemClock()),
      now: systemClock,
    })
  } finally {
    deadline.end()
    await operatorDispatcher.close()
  }
}

/** The address is the operator's, so it may be private. The limits hold over all processes. */
function findTarget(url: string, userAgent: string, egress: SearchDeps['egress']): Target {
  const { live } = findPlaces(
    {
      upstreams: new Map([['searxng', { url, credentials: {} }]]),
      guardedDispatcher: egress.operatorDispatcher,
      operatorDispatcher: egress.operatorDispatcher,
      simulatorUrl: url,
      userAgent,
      ...(egress.gates === undefined ? {} : { gates: egress.gates }),
    },
    'searxng',
    searxng,
  )
  invariant(live !== null, 'a vendor with an address has a place')
  return live.target
}

/** Runs work until its deadline, or until the caller's signal. */
async function inTime(
  { timeoutMs }: Pick<EngineTools, 'timeoutMs'>,
  signal: AbortSignal,
  work: (deadline: Deadline) => Promise<Sent>,
): Promise<Sent> {
  const deadline = new Deadline(Math.min(LIMIT_MS, timeoutMs))
  const expire = (): void => deadline.expire()
  signal.addEventListener('abort', expire, { once: true })
  try {
    return await work(deadline)
  } finally {
    deadline.end()
    signal.removeEventListener('abort', expire)
  }
}

type Request = Pick<EngineTools, 'accountId' | 'callId' | 'now'> & { readonly deadline: Deadline }

/** Throws AppError if no place becomes free in time. */
async function sendInPlace(
  slots: Slots,
  target: Target,
  wire: WireRequest,
  { accountId, callId, now, deadline }: Request,
): Promise<Sent> {
  const release = await slots
    .take({ accountId, signal: deadline.signal })
    .catch((error: unknown) => {
      throw error instanceof AppError ? error : new AppError('upstream_busy')
    })
  try {
    return await send(target, wire, { deadline, vendorKey: callId, accountId, now })
  } finally {
    release()
  }
}

function withBody(reply: Reply, body: unknown): Sent {
  return { ok: true, reply: { ...reply, headers: {}, body } }
}

/** Engines that are blocked now may answer the next search. */
function isWhole(sent: Sent): boolean {
  if (!sent.ok || !isFields(sent.reply.body)) return false
  const { hits, failures } = sent.reply.body
  return !isEmpty(hits) || isEmpty(failures)
}

function isEmpty(list: unknown): boolean {
  return Array.isArray(list) && list.length === 0
}

/** Whether callers may read the address: engines return those of private networks, too. */
function createAddressFilter({ checkAddress }: SearchDeps['pages']): (url: string) => boolean {
  return (url) => {
    try {
      checkAddress(url, 'url', 'service')
      return true
    } catch (error) {
      if (error instanceof AppError) return false
      throw error
    }
  }
}
