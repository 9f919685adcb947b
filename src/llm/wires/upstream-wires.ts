import type { ModelUpstream } from '../ask/upstream.ts'
import { chatWire } from '../stream/chat-wire.ts'
import { messagesWire } from './messages/message-events.ts'
import type { OwnForm } from './own-form.ts'
import { responsesWire } from './responses/response-events.ts'
import type { UpstreamWire } from './wire.ts'

const WIRES = { messages: messagesWire, responses: responsesWire }

/** The API in which to call the upstream: the caller's own if the upstream speaks it, else chat completions. */
export function upstreamWireOf({ wires }: ModelUpstream, own: OwnForm | null): UpstreamWire {
  return own !== null && wires?.has(own.wire) === true ? WIRES[own.wire] : chatWire
}
