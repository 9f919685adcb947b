import type { WireRequest } from '../catalog/vocabulary/wire.ts'
import { AppError, invariant } from '../errors/app-error.ts'
import {
  OpenConversation,
  openConversation,
  type Conversation,
  type Message,
} from './conversation.ts'
import { heldBack } from './limits/held-back.ts'
import {
  errorOf,
  headersOf,
  lost,
  MAX_REPLY_BYTES,
  parseBody,
  pathOf,
  placeOf,
  refused,
  senderOf,
  type Refused,
  type SendOptions,
  type Sent,
  type Target,
} from './send.ts'

/** A WebSocket to open, relative to the vendor's base address. Credentials are added on the way out, never here. */
export type TalkRequest = Pick<
  WireRequest,
  'path' | 'origin' | 'query' | 'headers' | 'anonymous' | 'runsProgram'
> & {
  /** What is said as soon as the vendor has opened it. */
  readonly first?: readonly Message[]
}

/**
 * Opens a WebSocket to a vendor, hands it to `work`, and closes it when that is done; until then it is one request at
 * the vendor's limits and breaker. Throws AppError for whatever goes wrong, with the codes of plain requests.
 */
export async function talk<T>(
  target: Target,
  request: TalkRequest,
  options: SendOptions,
  work: (conversation: Conversation) => Promise<T>,
): Promise<T> {
  const wire: WireRequest = { ...request, method: 'GET' }
  const turn = await target.gate?.enter(options, wire.origin)
  if (turn !== undefined && turn.refusal !== null)
    throw errorOf(heldBack(target.service, turn.refusal))
  let came: Sent = { ok: true, reply: { status: 101, headers: {}, body: '' } }
  try {
    const conversation = await open(senderOf(target, wire), wire, request.first ?? [], options)
    if (!(conversation instanceof OpenConversation)) {
      came = conversation
      throw errorOf(conversation.failure)
    }
    try {
      return await work(conversation)
    } finally {
      conversation.leave()
      if (conversation.failure !== null)
        came = { ok: false, failure: lost(target, conversation.failure) }
    }
  } finally {
    if (turn !== undefined)
      target.gate?.left(turn, came, { ...options, takesAnyTime: wire.runsProgram }, wire.origin)
  }
}

async function open(
  target: Target,
  wire: WireRequest,
  first: readonly Message[],
  options: SendOptions,
): Promise<OpenConversation | Refused> {
  const { opening } = target.dispatcher
  invariant(opening !== undefined, `the way to ${target.service} says how connections are opened`)
  try {
    const came = await openConversation({
      url: `${placeOf(target, wire).origin.replace(/^http/, 'ws')}${pathOf(target, wire)}`,
      headers: headersOf(target, wire, options),
      first,
      opening,
      deadline: options.deadline,
      maxBytes: MAX_REPLY_BYTES,
      explain: (error): AppError => errorOf(lost(target, error)),
    })
    if (came instanceof OpenConversation) return came
    return refused(
      target,
      { status: came.status, headers: came.headers, body: parseBody(came.text) },
      options.now(),
    )
  } catch (error) {
    return { ok: false, failure: lost(target, error) }
  }
}
