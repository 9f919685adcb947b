import type { MediaModels } from '../../catalog/vocabulary/media-model.ts'
import type { Clock } from '../../lib/clock.ts'
import type { UnpaidWork } from '../../lib/fairness/unpaid-work.ts'
import type { FileDeps } from '../files/file-deps.ts'
import type { Fetching } from '../files/download-type.ts'
import type { Places } from './places.ts'
import type { UseWorkspace } from './workspace.ts'

/** Paths of the programs; null for one that is not installed. */
export type MediaPrograms = {
  readonly ffmpeg: string | null
  readonly ffprobe: string | null
  readonly espeak: string | null
}

/** The media models of a gateway that runs them itself. */
export type MediaDeps = {
  readonly models: Pick<MediaModels, 'find'>
  readonly files: FileDeps
  readonly fetching: Fetching
  readonly programs: MediaPrograms
  readonly use: UseWorkspace
  readonly now: Clock
  readonly places: Places
  /** In milliseconds of processor time. */
  readonly unpaid: UnpaidWork
}

/** Of all files of one call. Twice as much must fit into a box. */
export const MOST_INPUT_BYTES = 200 * 1024 * 1024
