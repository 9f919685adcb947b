import type { Fields } from '../../../lib/json-fields.ts'
import type { CallerFormat } from '../caller-format.ts'
import { nativeFormat } from '../native-format.ts'
import { messageOfCompletion } from './message-of-completion.ts'
import { MessageTools } from './message-tools.ts'
import { eventsOfMessage, messagesFailureEvent, MessageWriter } from './message-writer.ts'

/** Messages from an upstream that speaks only chat completions. `request`: the caller's body. */
export function messagesFromChat(request: Fields): CallerFormat {
  const tools = new MessageTools(request)
  return {
    createWriter: (modelId) => new MessageWriter({ tools, modelId }),
    writeWhole: (json, _text, facts) => JSON.stringify(messageOfCompletion(tools, json, facts)),
    writeEvents: (json, facts) => eventsOfMessage(messageOfCompletion(tools, json, facts)),
  }
}

/** Messages from an upstream that speaks them. */
export const nativeMessages: CallerFormat = nativeFormat({
  eventsOf: eventsOfMessage,
  failureEvent: messagesFailureEvent,
})
