import { availableParallelism } from 'node:os'
import { invariant } from '../../../errors/app-error.ts'
import type { Clock } from '../../../lib/clock.ts'
import { createUnpaidWork } from '../../../lib/fairness/unpaid-work.ts'
import { findProgram } from '../../../lib/machine/find-program.ts'
import type { BoxesDeps } from '../../../resources/boxes/boxes-deps.ts'
import type { Fetching } from '../../../resources/files/download-type.ts'
import type { FileDeps } from '../../../resources/files/file-deps.ts'
import type { MediaDeps, MediaPrograms } from '../../../resources/media/media-deps.ts'
import { createPlaces } from '../../../resources/media/places.ts'
import { createBoxWorkspaces } from '../../../resources/media/workspace.ts'
import { services } from '../../../vendors/index.ts'
import type { Config } from '../../settings/config.ts'
import { isPartEnabled } from '../../settings/in-house-settings.ts'

/** Processor time of renders of one account that fail within an hour: at most 0.2 cents. */
const MOST_UNPAID_MS = 120_000
/** Boxes see no other programs. */
const VISIBLE = /^\/(usr|bin)\//

/** The programs of media models that boxes can see. */
export function findMediaPrograms(searchPath: string): MediaPrograms {
  const find = (name: string): string | null => {
    const path = findProgram(name, searchPath)
    return path !== null && VISIBLE.test(path) ? path : null
  }
  return { ffmpeg: find('ffmpeg'), ffprobe: find('ffprobe'), espeak: find('espeak-ng') }
}

export function hasMediaProgram({ ffmpeg, ffprobe, espeak }: MediaPrograms): boolean {
  return espeak !== null || (ffmpeg !== null && ffprobe !== null)
}

type Sources = {
  readonly files: FileDeps
  readonly fetching: Fetching
  /** Null if the machine cannot isolate programs. Callers' files are then never read. */
  readonly boxes: BoxesDeps | null
  readonly now: Clock
}

/** The media models of this gateway; null if the operator did not enable them, or they cannot run here. */
export function openMedia(
  { inHouse, searchPath }: Pick<Config, 'inHouse' | 'searchPath'>,
  { files, fetching, boxes, now }: Sources,
  isDefault: boolean,
): MediaDeps | null {
  const programs = findMediaPrograms(searchPath)
  if (boxes === null || !isPartEnabled(inHouse, 'media', isDefault) || !hasMediaProgram(programs))
    return null
  const processors = availableParallelism()
  const models = services.find(({ models: found }) => found !== undefined)?.models
  invariant(models !== undefined, 'one service of the catalog offers media models')
  return {
    models,
    files,
    fetching,
    programs,
    use: createBoxWorkspaces(boxes, processors < 4 ? 1 : 2, now),
    now,
    places: createPlaces(processors, inHouse.boxes.most),
    unpaid: createUnpaidWork({ most: MOST_UNPAID_MS, now, what: 'failed renders' }),
  }
}
