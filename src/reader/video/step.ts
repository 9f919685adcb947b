import type { FailureReason } from '../fetch/page-failure.ts'

/** The actions of a demo's steps. */
export const STEP_ACTIONS = ['open', 'click', 'type', 'press', 'scroll', 'hover', 'wait'] as const
export type StepAction = (typeof STEP_ACTIONS)[number]

export type DemoStep = {
  readonly action: StepAction
  /** open: the URL. */
  readonly url?: string
  /**
   * The element to click, hover over, type into or scroll to: its words, or a CSS selector after
   * "css=". For scroll also "top", "bottom", or undefined for one screen further.
   */
  readonly target?: string
  /** type: the text to type; wait: the words to wait for. */
  readonly text?: string
  /** press: the key. */
  readonly key?: string
  /** How long the video then shows the page. Default: the time it takes to read `say`. */
  readonly seconds?: number
  /** The line of narration, shown as a caption. */
  readonly say?: string
}

/** The outcome of a step in the video. */
export type Scene = {
  readonly index: number
  readonly action: StepAction
  /** The page's URL at the end of the step. */
  readonly url: string | null
  readonly caption: string | null
  readonly start_seconds: number
  readonly end_seconds: number
  readonly ok: boolean
  /** Why the step failed: a reason of `Flaw`, "out of time", or why the video ended early. */
  readonly error?: string
  /** The same as a sentence. */
  readonly note?: string
}

/** Why a step failed. */
export type Flaw = {
  readonly error: FailureReason | 'bot_wall' | 'not_found' | 'not_done' | 'not_opened' | 'stuck'
  readonly note: string
}
