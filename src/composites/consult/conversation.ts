/** What a consultation remembers between its turns. */
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import type { Owner } from '../../lib/owner.ts'
import type { Target } from './suggest.ts'

export type Conversation = {
  /** What the caller said, oldest first. */
  readonly said: readonly string[]
  /** The call that waits for the answer to the question asked last, with what it has so far and the field asked for. */
  readonly pending: {
    readonly target: Target
    readonly params: Data
    readonly missing: string
  } | null
  /** The call suggested last: "the same for …" goes on from there. */
  readonly last: { readonly target: Target; readonly params: Data } | null
}

/** Keeps conversations for as long as they are used now and then. */
export type Conversations = {
  /** The state, or null when the owner has none of that id, or none that is still remembered. */
  load(owner: Owner, id: string): Promise<Conversation | null>
  save(owner: Owner, id: string, state: Conversation): Promise<void>
}

export const NEW_CONVERSATION: Conversation = { said: [], pending: null, last: null }

const MOST_TURNS = 12

export function remember(
  state: Conversation,
  intent: string,
  change: Pick<Conversation, 'pending' | 'last'>,
): Conversation {
  return { said: [...state.said, intent].slice(-MOST_TURNS), ...change }
}
