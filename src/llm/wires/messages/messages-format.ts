import type { CallerFormat } from '../caller-format.ts'
import { nativeFormat } from '../native-format.ts'
import { messageOfCompletion } from './message-of-completion.ts'
import { eventsOfMessage, messagesFailureEvent, MessageWriter } from './message-writer.ts'

/** Messages from an upstream that speaks only chat completions. */
export const messagesFromChat: CallerFormat = {
  createWriter: (modelId) => new MessageWriter(modelId),
  writeWhole: (json, _text, facts) => JSON.stringify(messageOfCompletion(json, facts)),
  writeEvents: (json, facts) => eventsOfMessage(messageOfCompletion(json, facts)),
}

/** Messages from an upstream that speaks them. */
export const nativeMessages: CallerFormat = nativeFormat({
  eventsOf: eventsOfMessage,
  failureEvent: messagesFailureEvent,
})
