import type { CallTools, LocalHandler } from '../../catalog/vocabulary/handlers.ts'
import { done, empty, failed, type Outcome } from '../../catalog/vocabulary/outcome.ts'
import { newId, parsePublicId, publicId, type Id } from '../../lib/ids.ts'
import type { Complete } from '../shared/complete.ts'
import { askModel } from './ask-model.ts'
import { NEW_CONVERSATION, type Conversation, type Conversations } from './conversation.ts'
import type { SuggestParts } from './suggest.ts'
import { readingOf, takeTurn } from './turn.ts'

export type ConsultParts = SuggestParts & {
  readonly conversations: Conversations
  /** A language model that may fill in parameters better than the rules do; its word is checked like theirs. */
  readonly complete?: Complete | null
}

type ConsultInput = { readonly intent: string; readonly conversation_id?: string }

/** `core/consult`: an intent becomes exact calls, or one short question. */
export function createConsult(parts: ConsultParts): LocalHandler {
  return async (data, tools) => {
    // Validation has passed: the input is what the action's schema says.
    const { intent, conversation_id: named } = data as ConsultInput
    const known = await conversationOf(parts, tools, named)
    if (known === null)
      return {
        ...failed('unknown_conversation', 'Unknown conversation. Nothing was charged.'),
        param: 'conversation_id',
      }
    const turn = takeTurn(parts, known.state, intent, tools.now())
    const improved =
      parts.complete === undefined || parts.complete === null
        ? null
        : await askModel(parts, parts.complete, readingOf(intent, tools.now()), turn, tools)
    const calls = improved ?? turn.calls
    await parts.conversations.save(tools, known.id, turn.state)
    return answer(
      publicId('conversation', known.id),
      calls,
      improved === null ? turn.question : null,
      turn.candidates.length === 0,
    )
  }
}

async function conversationOf(
  { conversations }: ConsultParts,
  tools: CallTools,
  named: string | undefined,
): Promise<{ readonly id: Id; readonly state: Conversation } | null> {
  if (named === undefined) return { id: newId(tools.now()), state: NEW_CONVERSATION }
  const id = parsePublicId('conversation', named)
  const state = id === null ? null : await conversations.load(tools, id)
  return id === null || state === null ? null : { id, state }
}

/** A question that gets nearer to the call is advice; to be told that nothing fits is free. */
function answer(
  id: string,
  calls: readonly unknown[],
  question: string | null,
  nothingFits: boolean,
): Outcome {
  const data = { conversation_id: id, calls, ...(question === null ? {} : { question }) }
  return nothingFits && calls.length === 0 ? empty(data) : done(data)
}
