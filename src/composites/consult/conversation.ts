/** The state of a conversation between its turns. */
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import type { Owner } from '../../lib/owner.ts'
import type { Target } from './suggested-call.ts'

export type Pending = {
  readonly target: Target
  /** The parameters so far. */
  readonly params: Data
  /** The requested field. Empty if the question is about the price. */
  readonly missing: string
}

export type Conversation = {
  /** The caller's texts, oldest first. */
  readonly said: readonly string[]
  /** The call behind the last question. */
  readonly pending: Pending | null
  /** The actions that the last question offered, in its order. Absent in states of earlier versions. */
  readonly options?: readonly Target[]
  /** The tasks of the intent after the one that the last question was about. */
  readonly rest?: readonly string[]
  /** The last suggested call, which "the same for …" changes. */
  readonly last: { readonly target: Target; readonly params: Data } | null
}

/** Stores conversations until they are idle for a day. */
export type Conversations = {
  /** Returns null if the owner has no such conversation, or it has expired. */
  load(owner: Owner, id: string): Promise<Conversation | null>
  save(owner: Owner, id: string, state: Conversation): Promise<void>
}

export const NEW_CONVERSATION: Conversation = { said: [], pending: null, last: null }

const MOST_TURNS = 12

export function remember(
  state: Conversation,
  intent: string,
  change: Pick<Conversation, 'pending' | 'last' | 'options'>,
): Conversation {
  return { said: [...state.said, intent].slice(-MOST_TURNS), ...change }
}
