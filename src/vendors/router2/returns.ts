/** From OpenRouter's reference of chat completions. */
import { answer, maybe, text, type Returns } from '../../catalog/vocabulary/returns.ts'
import { chatAnswer } from '../shared/chat-returns.ts'

export const returns: Returns = {
  chat: answer({
    ...chatAnswer,
    provider: maybe(text('The company that ran the model.')),
  }),
}
