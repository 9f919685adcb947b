/** Calls about browser sessions that one of the operator's keys opened, or that run on this machine. The gateway charges their minutes itself (`src/resources/browsers`). */
import { paidTimeOf } from '../../catalog/vocabulary/define.ts'
import type { Proxies } from '../../catalog/vocabulary/browser-proxies.ts'
import { worstCase } from '../../catalog/prices/price.ts'
import { AppError } from '../../errors/app-error.ts'
import { ownerOf } from '../../keys/caller.ts'
import type { BrowserDeps, Sale } from '../../resources/browsers/browser-deps.ts'
import { findBrowser } from '../../resources/browsers/browser-row.ts'
import { extendBrowser } from '../../resources/browsers/extend-browser.ts'
import { openBrowser } from '../../resources/browsers/open-browser.ts'
import { releaseBrowser } from '../../resources/browsers/release-browser.ts'
import { describeBrowser } from '../../resources/browsers/describe-browser.ts'
import type { Call, CallAnswer, Calls, Way } from '../call.ts'
import { withHold, type HeldCall } from '../charge.ts'
import { noLane } from '../lanes/no-lane.ts'
import { writeEnvelope } from '../perform/envelope.ts'
import { toAppError } from '../perform/outcome-error.ts'
import { runFree } from './free.ts'
import { orderFor, runOnce } from './once.ts'

type Time = {
  readonly session_id: string
  readonly estimatedMinutes: number
  readonly keepAlive?: boolean
  readonly proxies?: Proxies
  readonly record?: boolean
}

/** The in-house lane of the record. This way carries it out, so that it has no handler. */
export const OWN_BROWSER_TIME = 'browser.time'

export const browserTime: Way = {
  takes: ({ entry }) => paidTimeOf(entry.action) !== undefined,
  async run(calls, call) {
    const { lane, isOwn, isInHouse } = await findSeller(calls, call)
    if (!isInHouse && call.request.caller.mode === 'live') rejectRecording(call)
    if (isOwn && call.amount === 0n) return runOwnFree(calls, call)
    if (isOwn) return sell(calls, call, isInHouse)
    const routed = { ...call, lane }
    return call.amount === 0n ? runFree(calls, routed) : runOnce(calls, routed)
  },
}

/** Videos of vendors cannot be stored as files of the account. */
function rejectRecording(call: Call): void {
  if (timeIn(call).record !== true) return
  throw new AppError(
    'invalid_params',
    'This gateway records no sessions, because a vendor runs them. Nothing was charged.',
    { param: 'record', fix: 'Omit "record".' },
  )
}

type Seller = Pick<Call, 'lane'> & {
  /** The gateway sells the minutes. */
  readonly isOwn: boolean
  /** The browser runs on this machine. */
  readonly isInHouse: boolean
}

/**
 * A session stays with its seller after the operator changes
 * settings, because the vendor's key cannot reach a session of the merchant and vice versa.
 */
async function findSeller({ database, lanes }: Calls, call: Call): Promise<Seller> {
  const {
    request: { caller },
    entry,
    input,
    lane,
  } = call
  const isInHouse = lane?.kind === 'in-house'
  const present = { lane, isOwn: lane?.kind === 'vendor' || isInHouse, isInHouse }
  if (caller.mode === 'test' || paidTimeOf(entry.action) === 'open') return present
  const row = await findBrowser(database, caller, timeIn(call).session_id)
  if (row !== undefined) return { lane, isOwn: true, isInHouse: row.host_seen_ms !== null }
  const bought = present.isOwn ? lanes.boughtLane(entry, input) : lane
  return bought === null ? present : { lane: bought, isOwn: false, isInHouse: false }
}

async function runOwnFree(calls: Calls, call: Call): Promise<CallAnswer> {
  const {
    request: { id, caller },
    entry: { action },
  } = call
  const about = {
    owner: ownerOf(caller),
    session: timeIn(call).session_id,
    timeoutMs: action.timeoutMs,
  }
  const data = await (paidTimeOf(action) === 'release'
    ? releaseBrowser(browserDepsOf(calls), about)
    : describeBrowser(browserDepsOf(calls), about))
  return {
    status: action.answerStatus,
    body: writeEnvelope({ data, untrusted: false, charge: 0n, requestId: id, isTest: false }),
    charged: 0n,
    wallet: null,
    replayed: false,
  }
}

/** One commit charges the minutes and adds them to the session. */
async function sell(calls: Calls, call: Call, isInHouse: boolean): Promise<CallAnswer> {
  const { entry, input } = call
  // Only the key that opened a session can extend it, and only a gateway with browsers one of its own.
  const { target, own } = browserDepsOf(calls)
  if (isInHouse ? own === undefined : target === null) throw toAppError(noLane(entry, input))
  const sale: { answer?: CallAnswer } = {}
  const order = {
    ...orderFor(calls, call),
    // The commit succeeded, and the connection broke before its response.
    onChargedFailure: async (error: unknown) => {
      if (sale.answer === undefined) throw error
      return sale.answer
    },
  }
  return withHold(calls, order, (held) => sellMinutes(calls, { ...call, isInHouse }, held, sale))
}

function sellMinutes(
  calls: Calls,
  call: Call & Pick<Seller, 'isInHouse'>,
  held: HeldCall,
  sale: { answer?: CallAnswer },
): Promise<CallAnswer> {
  const {
    request: { id, caller },
    entry: { action },
    input,
    lowered,
    isInHouse,
  } = call
  const {
    session_id: session,
    estimatedMinutes: minutes,
    keepAlive,
    proxies,
    record,
  } = timeIn(call)
  const status = action.answerStatus
  const charge: Sale<CallAnswer> = async (tx, sold) => {
    const charged = worstCase(action, { ...input, estimatedMinutes: sold.minutes })
    const body = writeEnvelope({
      data: sold.data,
      untrusted: false,
      charge: charged,
      requestId: id,
      isTest: false,
      lowered,
    })
    const wallet = await held.settleWithin(tx, charged, { status, body })
    return (sale.answer = { status, body, charged, wallet, replayed: false })
  }
  const about = { id, owner: ownerOf(caller), minutes, timeoutMs: action.timeoutMs }
  const { deadlineMs: givenUpMs } = held.hold
  return paidTimeOf(action) === 'open'
    ? openBrowser(
        browserDepsOf(calls),
        { ...about, isInHouse, keepAlive, proxies, record, givenUpMs },
        charge,
      )
    : extendBrowser(browserDepsOf(calls), { ...about, session }, charge)
}

/** The services behind browser sessions, for calls and pages. */
export function browserDepsOf({
  database,
  now,
  lanes,
  browsers,
}: Pick<Calls, 'database' | 'now' | 'lanes' | 'browsers'>): BrowserDeps {
  return { database, now, target: lanes.targetOf('browser'), own: browsers }
}

function timeIn({ input }: Call): Time {
  return input as Time
}
