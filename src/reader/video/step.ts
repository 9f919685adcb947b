import type { FailureReason } from '../fetch/page-failure.ts'

/** What a demo is made of: what is done on the pages, and what is said meanwhile. */
export const STEP_ACTIONS = ['open', 'click', 'type', 'press', 'scroll', 'hover', 'wait'] as const
export type StepAction = (typeof STEP_ACTIONS)[number]

export type DemoStep = {
  readonly action: StepAction
  /** open: the address. */
  readonly url?: string
  /**
   * What is clicked, hovered over, typed into or scrolled to: the words on it, or a CSS selector after "css=". For
   * scroll also "top", "bottom", or left out for one screen further.
   */
  readonly target?: string
  /** type: what is typed; wait: words that are to appear. */
  readonly text?: string
  /** press: the key. */
  readonly key?: string
  /** How long the picture then stands still; as long as it takes to read `say` when left out. */
  readonly seconds?: number
  /** The line of narration, shown as a caption. */
  readonly say?: string
}

/** What became of a step in the film. */
export type Scene = {
  readonly index: number
  readonly action: StepAction
  /** Where the page stood at its end. */
  readonly url: string | null
  readonly caption: string | null
  readonly start_seconds: number
  readonly end_seconds: number
  readonly ok: boolean
  /** Why it is not to be seen: a reason of `Flaw`, "out of time", or why the film ended early. */
  readonly error?: string
  /** The same in a sentence. */
  readonly note?: string
}

/** Why a step did not come about. */
export type Flaw = {
  readonly error: FailureReason | 'bot_wall' | 'not_found' | 'not_done' | 'not_opened' | 'stuck'
  readonly note: string
}
