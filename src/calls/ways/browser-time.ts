/** Browser sessions that are opened with a key of the operator's: the gateway sells their minutes itself (src/resources/browsers). */
import { paidTimeOf } from '../../catalog/vocabulary/define.ts'
import type { Entry } from '../../catalog/index.ts'
import { worstCase } from '../../catalog/prices/price.ts'
import { AppError } from '../../errors/app-error.ts'
import { ownerOf } from '../../keys/caller.ts'
import { resolveWithin } from '../../ledger/within.ts'
import type { BrowserParts, Sale } from '../../resources/browsers/browser-parts.ts'
import { findBrowser } from '../../resources/browsers/browser-row.ts'
import { extendBrowser } from '../../resources/browsers/extend-browser.ts'
import { openBrowser } from '../../resources/browsers/open-browser.ts'
import { releaseBrowser } from '../../resources/browsers/release-browser.ts'
import { tellBrowser } from '../../resources/browsers/tell-browser.ts'
import type { Affordable } from '../quote/ceiling.ts'
import { answerBody } from '../perform/envelope.ts'
import type { CallAnswer, CallRequest, Calls } from '../call.ts'
import type { HeldCall } from '../run.ts'
import type { Proxies } from '../../catalog/vocabulary/browser-proxies.ts'

type Time = {
  readonly session_id: string
  readonly estimatedMinutes: number
  readonly keepAlive?: boolean
  readonly proxies?: Proxies
}

/**
 * A session is asked about where it was opened, whatever the operator has set since: one that a merchant sold is known to
 * that merchant alone, and one that a key opened to nobody else.
 */
export async function wayOfPaidTime(
  { database, lanes }: Calls,
  { caller }: CallRequest,
  entry: Entry,
  asked: Affordable,
): Promise<{ readonly asked: Affordable; readonly isOwnSale: boolean }> {
  const isKeyed = asked.lane?.kind === 'vendor'
  if (caller.mode === 'test' || paidTimeOf(entry.action) === 'open')
    return { asked, isOwnSale: isKeyed }
  if ((await findBrowser(database, caller, timeIn(asked).session_id)) !== undefined)
    return { asked, isOwnSale: true }
  const lane = isKeyed ? lanes.boughtLane(entry, asked.input) : asked.lane
  return lane === null
    ? { asked, isOwnSale: isKeyed }
    : { asked: { ...asked, lane }, isOwnSale: false }
}

export async function freeBrowserCall(
  calls: Calls,
  { id, caller }: CallRequest,
  { action }: Entry,
  asked: Affordable,
): Promise<CallAnswer> {
  const about = {
    owner: ownerOf(caller),
    session: timeIn(asked).session_id,
    timeoutMs: action.timeoutMs,
  }
  const data = await (paidTimeOf(action) === 'release'
    ? releaseBrowser(partsOf(calls), about)
    : tellBrowser(partsOf(calls), about))
  return {
    status: action.answerStatus,
    body: answerBody({ data, untrusted: false, charge: 0n, requestId: id, isTest: false }),
    charged: 0n,
    wallet: null,
    replayed: false,
  }
}

/** Minutes are the session's in the same commit that charges for them, or they are neither. */
export async function sellBrowserTime(
  calls: Calls,
  call: Omit<HeldCall, 'hops' | 'maxCost'>,
): Promise<CallAnswer> {
  const {
    request: { id, caller },
    entry: { action },
    asked,
    hold,
    startedMs,
  } = call
  const { session_id: session, estimatedMinutes: minutes, keepAlive, proxies } = timeIn(asked)
  let answer: CallAnswer | undefined
  const sell: Sale<CallAnswer> = async (tx, sold) => {
    const nowMs = calls.now()
    const charge = worstCase(action, { ...asked.input, estimatedMinutes: sold.minutes })
    const body = answerBody({
      data: sold.data,
      untrusted: false,
      charge,
      requestId: id,
      isTest: false,
      lowered: asked.lowered,
    })
    const kept = hold.claim === null ? {} : { answer: { status: action.answerStatus, body } }
    const { verdict, wallet } = await resolveWithin(
      tx,
      { hold, charge, latencyMs: nowMs - startedMs, errorCode: null, hops: null, ...kept },
      nowMs,
    )
    if (verdict === 'gone')
      throw new AppError(
        'upstream_timeout',
        'The answer came after the call had been given up. Nothing was charged.',
      )
    answer = { status: action.answerStatus, body, charged: charge, wallet, replayed: false }
    return answer
  }
  try {
    const about = { id, owner: ownerOf(caller), minutes, timeoutMs: action.timeoutMs }
    return await (paidTimeOf(action) === 'open'
      ? openBrowser(
          partsOf(calls),
          { ...about, keepAlive, proxies, givenUpMs: hold.deadlineMs },
          sell,
        )
      : extendBrowser(partsOf(calls), { ...about, session }, sell))
  } catch (error) {
    const settled = await calls.ledger.resolve({
      hold,
      charge: 0n,
      latencyMs: calls.now() - startedMs,
      errorCode: error instanceof AppError ? error.code : 'internal',
      hops: null,
      answer: null,
    })
    // The commit came through, and its answer got lost.
    if (settled.charged > 0n && answer !== undefined) return answer
    throw error
  }
}

function partsOf({ database, now, lanes }: Calls): BrowserParts {
  return { database, now, target: lanes.targetOf('browser') }
}

function timeIn({ input }: Affordable): Time {
  return input as Time
}
