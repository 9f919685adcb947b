import { toHop } from '../../catalog/prices/hop.ts'
import { billable } from '../../catalog/prices/price.ts'
import {
  isLaunched,
  type Action,
  type JobAction,
  type Source,
} from '../../catalog/vocabulary/define.ts'
import { anyAddress } from '../../catalog/validate/web-address.ts'
import type { CallTools, Hop, HopReceipt, Invocation } from '../../catalog/vocabulary/handlers.ts'
import { failed, isDelivered, type Data, type Outcome } from '../../catalog/vocabulary/outcome.ts'
import type { Entry } from '../../catalog/index.ts'
import { AppError } from '../../errors/app-error.ts'
import { Deadline } from '../../lib/deadline.ts'
import { newId, type Id } from '../../lib/ids.ts'
import { isForCallsOnly, type Lane } from '../lanes/lane-parts.ts'
import { noLane } from '../lanes/no-lane.ts'
import { askInHouse } from './ask-in-house.ts'
import { askVendor, isRequestLane } from './ask-vendor.ts'
import type { CallScope, PerformDeps, Work } from './call-scope.ts'
import { toFailure } from './outcome-error.ts'

/**
 * Carries an action out through a lane. It moves no money. A call passes the `lane` that checked its
 * input before the hold; the lane of a step is found and checks the input here.
 */
export async function perform(
  deps: PerformDeps,
  scope: CallScope,
  entry: Entry,
  input: Data,
  lane?: Lane | null,
): Promise<Outcome> {
  const used = lane === undefined ? laneOfStep(deps, scope, entry, input) : lane
  if (used === null) return noLane(entry, input)
  try {
    if (lane === undefined) used.check?.(input, anyAddress)
    return await performThrough(used, { deps, scope, entry, input })
  } catch (error) {
    const isOwed = error instanceof AppError && error.owed > 0n
    if (scope.deadline.isOver && !isOwed)
      return failed(
        'upstream_timeout',
        `The call took longer than ${entry.action.timeoutMs / 1000} seconds. Nothing was charged.`,
      )
    if (error instanceof AppError) return toFailure(error)
    throw error
  }
}

/** A step has no in-house lane that other steps of the same action already use under another name. */
function laneOfStep(deps: PerformDeps, scope: CallScope, entry: Entry, input: Data): Lane | null {
  const lane = deps.lanes.laneFor(entry, scope.owner.mode, input)
  return lane?.kind === 'in-house' && isForCallsOnly(entry.action) ? null : lane
}

function performThrough(lane: Lane, work: Work): Outcome | Promise<Outcome> {
  const { deps, scope, entry, input } = work
  const { action } = entry
  if (lane.kind === 'local')
    return findHandler(deps.local, lane.handler)(input, toolsFor(deps, scope, entry))
  if (action.kind === 'local') return noLane(entry)
  if (lane.kind === 'in-house') {
    const source = action.kind === 'job' ? directSource(action, input) : action
    if (source === undefined) return noLane(entry, input)
    const handler = findHandler(deps.inHouse, lane.handler)
    return askInHouse(handler, work, source, toolsFor(deps, scope, entry))
  }
  return isRequestLane(lane) ? askVendor(lane, work, performThrough) : noLane(entry)
}

/** Undefined for input that runs as a job. */
function directSource(action: JobAction, input: Data): Source | undefined {
  return isLaunched(action, input) ? undefined : action.directly
}

/** The functions that a handler runs its steps with. */
export function toolsFor(deps: PerformDeps, scope: CallScope, entry: Entry): CallTools {
  return {
    ...scope.owner,
    callId: scope.callId ?? scope.vendorKey,
    get signal() {
      return scope.deadline.signal
    },
    timeoutMs: entry.action.timeoutMs,
    now: deps.now,
    invoke: (service, action, input, limitMs) =>
      invoke(deps, scope, deps.catalog.findAction(service, action), input, limitMs),
    isLive: (service, action) =>
      scope.owner.mode === 'test' || deps.lanes.statusOf(service, action).live !== null,
  }
}

async function invoke(
  deps: PerformDeps,
  scope: CallScope,
  entry: Entry,
  rawInput: Data,
  limitMs = entry.action.timeoutMs,
): Promise<Invocation> {
  const input = deps.validator.validate(entry.action.input, withinCaps(entry.action, rawInput))
  // The address check runs where the address is read, so one bad address among many does not fail the step.
  entry.action.check(input)
  const callId = scope.callId ?? scope.vendorKey
  const make = (vendorKey: Id): Promise<Invocation> =>
    makeStep(deps, { ...scope, callId, vendorKey }, entry, input, limitMs)
  return scope.steps === undefined ? make(newId(deps.now())) : scope.steps.once(entry, input, make)
}

/** The callers of a multi-source action do not choose the counts of its steps. */
function withinCaps({ countCaps }: Action, input: Data): Data {
  if (countCaps === undefined) return input
  const lowered = Object.entries(countCaps).filter(([field, most]) => Number(input[field]) > most)
  return lowered.length === 0 ? input : { ...input, ...Object.fromEntries(lowered) }
}

async function makeStep(
  deps: PerformDeps,
  scope: CallScope,
  entry: Entry,
  input: Data,
  limitMs: number,
): Promise<Invocation> {
  const startedMs = deps.now()
  const deadline = new Deadline(Math.min(limitMs, entry.action.timeoutMs), scope.deadline)
  const inner = scope.steps === undefined ? {} : { steps: scope.steps.inner }
  const receipts: HopReceipt[] = []
  const outcome = await perform(
    deps,
    { ...scope, ...inner, held: undefined, receipts, deadline },
    entry,
    input,
  ).finally(() => deadline.end())
  // A step that failed costs the whole call nothing.
  const charge = outcome.kind === 'failed' ? 0n : billable(entry.action, input, outcome)
  const hop: Hop = {
    ...toHop(entry, { ok: isDelivered(outcome), charge, latencyMs: deps.now() - startedMs }),
    ...(isNotConfigured(outcome) ? { skipped: 'not_configured' } : {}),
    ...(receipts[0] === undefined ? {} : { receipt: receipts[0] }),
  }
  scope.hops.push(hop)
  return { hop, outcome }
}

/** Whether the step has no lane. With details, a vendor rejected the operator's credentials. */
function isNotConfigured(outcome: Outcome): boolean {
  return (
    outcome.kind === 'failed' &&
    outcome.code === 'upstream_not_configured' &&
    outcome.details === undefined
  )
}

function findHandler<Handler>(handlers: ReadonlyMap<string, Handler>, name: string): Handler {
  const handler = handlers.get(name)
  if (handler === undefined) throw new AppError('upstream_not_configured')
  return handler
}
