import type { Visitor } from '../../lib/fairness/fair-slots.ts'
import type { AspectRatio } from './layout.ts'
import type { VisitRules } from './open-page.ts'
import type { DemoStep } from './step.ts'

export type DemoRequest = VisitRules &
  Visitor & {
    readonly script: readonly DemoStep[]
    readonly aspectRatio: AspectRatio
    /** The longest length of the video. */
    readonly maxSeconds: number
    /**
     * Audio files of spoken lines (WAV, MP3, Ogg, FLAC) by the index of their step. Unplayable
     * files are skipped.
     */
    readonly speech?: ReadonlyMap<number, Uint8Array> | undefined
    /** The text of the title card. Default: the title of the first page. */
    readonly title?: string | undefined
    /** When to give up a step whose page does not respond. Default: 90 s. */
    readonly stepTimeoutMs?: number | undefined
    /** Called before each step: the reason to end the video here, else null. */
    readonly whyStop: () => string | null
    readonly onScene: (done: number) => void
  }
