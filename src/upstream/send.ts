import { setTimeout as pause } from 'node:timers/promises'
import type { Reply, WireRequest } from '../catalog/vocabulary/wire.ts'
import { AppError } from '../errors/app-error.ts'
import { withoutCredentials } from './credentials.ts'
import { exchange, type Incoming, type Limits, type Outgoing } from './exchange.ts'
import { exchangeRpc } from './rpc/exchange-rpc.ts'
import { exchangeFollowing } from './follow-redirects.ts'
import type { Gate } from './limits/gate.ts'
import type { Permit } from './limits/permit.ts'
import { failureOfPermit } from './limits/permit-failure.ts'
import { parseBody } from './parse-body.ts'
import { MAX_REPLY_BYTES, type SendOptions, type Sent } from './sent.ts'
import { placeOf, senderOf, type Target } from './target.ts'
import { failureOfError, refusalOf } from './reply-failure.ts'
import { bodyOf, headersOf, pathOf, rpcPathOf } from './vendor-request.ts'

/**
 * Sends a request to a vendor; no other code does. Never throws: every error is returned as a
 * failure with a code.
 */
export function send(target: Target, wire: WireRequest, options: SendOptions): Promise<Sent> {
  const sender = senderOf(target, wire)
  if (wire.afterMs !== undefined) return sendLater(sender, wire, wire.afterMs, options)
  return wire.retry === undefined
    ? sendWithinLimits(sender, wire, options)
    : sendAgain(sender, wire, wire.retry, options)
}

async function sendLater(
  sender: Target,
  wire: WireRequest,
  afterMs: number,
  options: SendOptions,
): Promise<Sent> {
  await wait(afterMs, options)
  return sendAgain(sender, wire, wire.retry ?? { times: 0, afterMs: 0 }, options)
}

/** Waits for this time, or until the deadline. */
async function wait(ms: number, { deadline }: SendOptions): Promise<void> {
  await pause(ms, undefined, { signal: deadline.signal }).catch(() => undefined)
}

async function sendAgain(
  sender: Target,
  wire: WireRequest,
  { times, afterMs }: NonNullable<WireRequest['retry']>,
  options: SendOptions,
): Promise<Sent> {
  let sent = await sendWithinLimits(sender, wire, options)
  for (
    let attempt = 0;
    attempt < times && isTransient(sent) && !options.deadline.isOver;
    attempt += 1
  ) {
    await wait(afterMs, options)
    if (!options.deadline.isOver) sent = await sendWithinLimits(sender, wire, options)
  }
  return sent
}

/**
 * Reports whether a retry may succeed: after a server error or a lost connection, not after a
 * rejection.
 */
function isTransient(sent: Sent): boolean {
  if (sent.ok || sent.failure.code !== 'upstream_error') return false
  const { status } = sent.failure.details.upstream
  return status === null || status >= 500
}

function sendWithinLimits(target: Target, wire: WireRequest, options: SendOptions): Promise<Sent> {
  return target.gate === undefined
    ? sendOnce(target, wire, options)
    : sendThrough(target.gate, target, wire, options)
}

function sendThrough(
  gate: Gate,
  target: Target,
  wire: WireRequest,
  options: SendOptions,
): Promise<Sent> {
  const { origin, runsProgram: takesAnyTime } = wire
  const { accountId, deadline } = options
  const sendWith = async (permit: Permit): Promise<Sent> => {
    if (permit.refusal !== null)
      return { ok: false, failure: failureOfPermit(target.service, permit.refusal) }
    const sent = await sendOnce(target, wire, options)
    gate.release(permit, sent, { accountId, deadline, takesAnyTime }, origin)
    return sent
  }
  const acquired = gate.acquire(options, origin)
  return acquired instanceof Promise ? acquired.then(sendWith) : sendWith(acquired)
}

async function sendOnce(target: Target, wire: WireRequest, options: SendOptions): Promise<Sent> {
  try {
    const outgoing = {
      origin: placeOf(target, wire).origin,
      path: wire.rpc === undefined ? pathOf(target, wire) : rpcPathOf(target, wire),
      method: wire.method,
      headers: headersOf(target, wire, options),
      body: bodyOf(target, wire),
    }
    const limits = {
      deadline: options.deadline,
      maxBytes: MAX_REPLY_BYTES,
      page: wire.page === true,
      binary: wire.binary === true,
      beforeBytes: options.beforeBytes,
    }
    const incoming: Incoming & { readonly path?: string } =
      wire.followsRedirects !== undefined
        ? await exchangeFollowing(
            target.dispatcher,
            outgoing,
            limits,
            wire.followsRedirects === 'anywhere' && target.vendor.auth.in === 'none',
          )
        : wire.rpc !== undefined && target.isSimulated !== true
          ? await exchangeRpc(target.dispatcher, outgoing, limits, wire.rpc)
          : await exchangeOrPay(target, outgoing, limits)
    const { status, headers, text: received, path, isPacked } = incoming
    const text = withoutCredentials(received, target)
    // The gateway never requests a partial response.
    const isAnswer =
      (status >= 200 && status < 300 && status !== 206) ||
      wire.acceptedStatuses?.includes(status) === true
    if (isAnswer && isPacked === true) throw new AppError('upstream_error')
    const body = isAnswer && (limits.page || limits.binary) ? text : parseBody(text)
    const reply: Reply =
      path === undefined ? { status, headers, body } : { status, headers, body, path }
    return isAnswer ? { ok: true, reply } : refusalOf(target, reply, options.now())
  } catch (error) {
    return { ok: false, failure: failureOfError(target, error) }
  }
}

function exchangeOrPay(
  { exchange: paid, dispatcher }: Target,
  outgoing: Outgoing,
  limits: Limits,
): Promise<Incoming> {
  return paid === undefined ? exchange(dispatcher, outgoing, limits) : paid(outgoing, limits)
}
