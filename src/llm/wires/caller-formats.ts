import type { CompletionRequest } from '../ask/read-request.ts'
import { chatFormat } from '../stream/chat-format.ts'
import type { CallerFormat } from './caller-format.ts'
import { messagesFromChat, nativeMessages } from './messages/messages-format.ts'
import { textFormat } from './completions/text-format.ts'
import { nativeResponses, responsesFromChat } from './responses/responses-format.ts'
import type { WireName } from './wire.ts'

/** The format of the caller, for a response in the given API of the upstream. */
export function callerFormat({ own, isText }: CompletionRequest, upstream: WireName): CallerFormat {
  switch (own?.wire) {
    case 'messages':
      return upstream === 'messages' ? nativeMessages : messagesFromChat(own.body)
    case 'responses':
      return upstream === 'responses' ? nativeResponses : responsesFromChat(own.body)
    default:
      return isText === true ? textFormat : chatFormat
  }
}
