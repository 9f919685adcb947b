/** Calls about browser sessions that one of the operator's keys opened. The gateway charges their minutes itself (`src/resources/browsers`). */
import { paidTimeOf } from '../../catalog/vocabulary/define.ts'
import type { Proxies } from '../../catalog/vocabulary/browser-proxies.ts'
import { worstCase } from '../../catalog/prices/price.ts'
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
}

export const browserTime: Way = {
  takes: ({ entry }) => paidTimeOf(entry.action) !== undefined,
  async run(calls, call) {
    const { lane, isOwn } = await findSeller(calls, call)
    if (isOwn && call.amount === 0n) return runOwnFree(calls, call)
    if (isOwn) return sell(calls, call)
    const routed = { ...call, lane }
    return call.amount === 0n ? runFree(calls, routed) : runOnce(calls, routed)
  },
}

/**
 * `isOwn`: the gateway sells the minutes. A session stays with its seller after the operator changes
 * settings, because the vendor's key cannot reach a session of the merchant and vice versa.
 */
async function findSeller(
  { database, lanes }: Calls,
  call: Call,
): Promise<Pick<Call, 'lane'> & { readonly isOwn: boolean }> {
  const {
    request: { caller },
    entry,
    input,
    lane,
  } = call
  const isKeyed = lane?.kind === 'vendor'
  if (caller.mode === 'test' || paidTimeOf(entry.action) === 'open') return { lane, isOwn: isKeyed }
  if ((await findBrowser(database, caller, timeIn(call).session_id)) !== undefined)
    return { lane, isOwn: true }
  const bought = isKeyed ? lanes.boughtLane(entry, input) : lane
  return bought === null ? { lane, isOwn: isKeyed } : { lane: bought, isOwn: false }
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
    ? releaseBrowser(depsFrom(calls), about)
    : describeBrowser(depsFrom(calls), about))
  return {
    status: action.answerStatus,
    body: writeEnvelope({ data, untrusted: false, charge: 0n, requestId: id, isTest: false }),
    charged: 0n,
    wallet: null,
    replayed: false,
  }
}

/** One commit charges the minutes and adds them to the session. */
async function sell(calls: Calls, call: Call): Promise<CallAnswer> {
  const { entry, input } = call
  // Only the key that opened a session can extend it.
  if (calls.lanes.targetOf(entry.service.id) === null) throw toAppError(noLane(entry, input))
  const sale: { answer?: CallAnswer } = {}
  const order = {
    ...orderFor(calls, call),
    // The commit succeeded, and the connection broke before its response.
    onChargedFailure: async (error: unknown) => {
      if (sale.answer === undefined) throw error
      return sale.answer
    },
  }
  return withHold(calls, order, (held) => sellMinutes(calls, call, held, sale))
}

function sellMinutes(
  calls: Calls,
  call: Call,
  held: HeldCall,
  sale: { answer?: CallAnswer },
): Promise<CallAnswer> {
  const {
    request: { id, caller },
    entry: { action },
    input,
    lowered,
  } = call
  const { session_id: session, estimatedMinutes: minutes, keepAlive, proxies } = timeIn(call)
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
    ? openBrowser(depsFrom(calls), { ...about, keepAlive, proxies, givenUpMs }, charge)
    : extendBrowser(depsFrom(calls), { ...about, session }, charge)
}

function depsFrom({ database, now, lanes }: Calls): BrowserDeps {
  return { database, now, target: lanes.targetOf('browser') }
}

function timeIn({ input }: Call): Time {
  return input as Time
}
