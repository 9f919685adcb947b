import { findMediaPrograms, hasMediaProgram } from '../../../app/wiring/in-house/media.ts'
import type { Config } from '../../../app/settings/config.ts'
import { checkBoxes } from './boxes.ts'
import { missing, ok, type Check } from './check.ts'

/** Which media models work, and what to install for the others. */
export async function checkMedia(config: Config, title: string): Promise<Check> {
  const programs = findMediaPrograms(config.searchPath)
  const absent = [
    ...(programs.ffmpeg === null || programs.ffprobe === null ? ['ffmpeg'] : []),
    ...(programs.espeak === null ? ['espeak-ng'] : []),
  ]
  const install = `apt-get install ${absent.join(' ')}`
  if (!hasMediaProgram(programs))
    return missing(
      title,
      `${absent.join(' and ')} are not installed in /usr`,
      `Install one or both, for example: ${install}`,
    )
  const boxes = await checkBoxes(config, title)
  if (boxes.state !== 'ok') return boxes
  const [only] = absent
  return ok(
    title,
    only === undefined
      ? `ffmpeg and espeak-ng, ${boxes.found}`
      : `without ${only} (${install}), ${boxes.found}`,
  )
}
