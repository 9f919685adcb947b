import type { CallTools, LocalHandler } from '../../catalog/vocabulary/handlers.ts'
import { done, empty, failed, type Data, type Outcome } from '../../catalog/vocabulary/outcome.ts'
import { newId, parsePublicId, publicId, type Id } from '../../lib/ids.ts'
import type { Discover } from '../discover/create-discover.ts'
import type { Complete } from '../shared/complete.ts'
import { judgeTurn } from './ask-model.ts'
import { NEW_CONVERSATION, type Conversation, type Conversations } from './conversation.ts'
import type { SuggestDeps } from './suggest.ts'
import { readIntent } from './reading/intent-reading.ts'
import { takeTurn, type Turn } from './turn.ts'

export type ConsultDeps = SuggestDeps & {
  readonly discover: Discover
  readonly conversations: Conversations
  /** A language model that may improve the rules' result. Its calls pass the same checks. */
  readonly complete?: Complete | null
}

type ConsultInput = { readonly intent: string; readonly conversation_id?: string }

/** `core/consult`: turns an intent into exact calls, or one short question. */
export function createConsult(deps: ConsultDeps): LocalHandler {
  return async (data, tools) => {
    // Validated against the action's schema.
    const { intent, conversation_id: named } = data as ConsultInput
    const conversation = await loadConversation(deps, tools, named)
    if (conversation === null)
      return {
        ...failed('unknown_conversation', 'Unknown conversation. Nothing was charged.'),
        param: 'conversation_id',
      }
    const { state } = conversation
    await deps.discover.prepare()
    const nowMs = tools.now()
    const byRules = takeTurn(deps, state, intent, nowMs)
    const reading = readIntent(intent, nowMs)
    const turn =
      deps.complete === undefined || deps.complete === null
        ? byRules
        : await judgeTurn(deps, deps.complete, { reading, turn: byRules, state }, tools)
    await deps.conversations.save(tools, conversation.id, turn.state)
    return toOutcome(publicId('conversation', conversation.id), turn)
  }
}

async function loadConversation(
  { conversations }: ConsultDeps,
  tools: CallTools,
  named: string | undefined,
): Promise<{ readonly id: Id; readonly state: Conversation } | null> {
  if (named === undefined) return { id: newId(tools.now()), state: NEW_CONVERSATION }
  const id = parsePublicId('conversation', named)
  const state = id === null ? null : await conversations.load(tools, id)
  return id === null || state === null ? null : { id, state }
}

/** Only calls are charged. A question and an intent without a matching action are free. */
function toOutcome(id: string, { calls, later, leftOut, question, alternatives }: Turn): Outcome {
  const data = {
    conversation_id: id,
    calls,
    ...(later.length === 0 ? {} : { later }),
    ...(leftOut.length === 0 ? {} : { left_out: leftOut }),
    ...(question === null ? {} : { question }),
    ...(alternatives.length === 0 ? {} : { alternatives: alternatives.map(toAlternative) }),
  }
  return calls.length === 0 ? empty(data) : done(data)
}

function toAlternative({ target, summary }: Turn['alternatives'][number]): Data {
  const { endpoint, ...action } = target
  return { ...action, ...(endpoint === null ? {} : { endpoint }), summary }
}
