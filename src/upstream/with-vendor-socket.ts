import type { WireRequest } from '../catalog/vocabulary/wire.ts'
import { AppError, invariant } from '../errors/app-error.ts'
import {
  OpenVendorSocket,
  openVendorSocket,
  type VendorSocket,
  type Message,
} from './vendor-socket.ts'
import { failureOfPermit } from './limits/permit-failure.ts'
import { parseBody } from './parse-body.ts'
import { errorOf, MAX_REPLY_BYTES, type Refused, type SendOptions, type Sent } from './sent.ts'
import { placeOf, senderOf, type Target } from './target.ts'
import { failureOfError, refusalOf } from './reply-failure.ts'
import { headersOf, pathOf } from './vendor-request.ts'

/**
 * A WebSocket to open, relative to the vendor's base URL. Credentials are added when it is sent.
 */
export type SocketRequest = Pick<
  WireRequest,
  'path' | 'origin' | 'query' | 'headers' | 'anonymous' | 'runsProgram'
> & {
  /** Messages to send as soon as the connection is open. */
  readonly first?: readonly Message[]
}

/**
 * Opens a WebSocket to a vendor, passes it to `work`, and closes it afterwards. Until then it
 * counts as one request for the vendor's limits and circuit breaker. Throws AppError with the
 * codes of plain requests.
 */
export async function withVendorSocket<T>(
  target: Target,
  request: SocketRequest,
  options: SendOptions,
  work: (socket: VendorSocket) => Promise<T>,
): Promise<T> {
  const wire: WireRequest = { ...request, method: 'GET' }
  const permit = await target.gate?.acquire(options, wire.origin)
  if (permit !== undefined && permit.refusal !== null)
    throw errorOf(failureOfPermit(target.service, permit.refusal))
  let came: Sent = { ok: true, reply: { status: 101, headers: {}, body: '' } }
  try {
    const socket = await open(senderOf(target, wire), wire, request.first ?? [], options)
    if (!(socket instanceof OpenVendorSocket)) {
      came = socket
      throw errorOf(socket.failure)
    }
    try {
      return await work(socket)
    } finally {
      socket.leave()
      if (socket.failure !== null)
        came = { ok: false, failure: failureOfError(target, socket.failure) }
    }
  } finally {
    if (permit !== undefined)
      target.gate?.release(
        permit,
        came,
        { ...options, takesAnyTime: wire.runsProgram },
        wire.origin,
      )
  }
}

async function open(
  target: Target,
  wire: WireRequest,
  first: readonly Message[],
  options: SendOptions,
): Promise<OpenVendorSocket | Refused> {
  const { opening } = target.dispatcher
  invariant(opening !== undefined, `the dispatcher of ${target.service} can open connections`)
  try {
    const came = await openVendorSocket({
      url: `${placeOf(target, wire).origin.replace(/^http/, 'ws')}${pathOf(target, wire)}`,
      headers: headersOf(target, wire, options),
      first,
      opening,
      deadline: options.deadline,
      maxBytes: MAX_REPLY_BYTES,
      explain: (error): AppError => errorOf(failureOfError(target, error)),
    })
    if (came instanceof OpenVendorSocket) return came
    return refusalOf(
      target,
      { status: came.status, headers: came.headers, body: parseBody(came.text) },
      options.now(),
    )
  } catch (error) {
    return { ok: false, failure: failureOfError(target, error) }
  }
}
