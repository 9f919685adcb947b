/** The facts about a file that ffprobe reports. */
import { AppError } from '../../errors/app-error.ts'
import type { Workspace } from './workspace.ts'
import { probeArguments } from './ffmpeg-arguments.ts'

export type Probe = {
  /** Null for an image, or if the file does not state it. */
  readonly seconds: number | null
  readonly hasAudio: boolean
  /** As shown, after a rotation; null without a video stream or image. */
  readonly size: { readonly width: number; readonly height: number } | null
}

const PROBE_SECONDS = 60

type Stream = {
  readonly codec_type?: string
  readonly width?: number
  readonly height?: number
  readonly disposition?: { readonly attached_pic?: number }
  readonly side_data_list?: readonly { readonly rotation?: number }[]
}

/** Throws AppError `invalid_params` for a file that is no video, audio or image. */
export async function probe(
  workspace: Workspace,
  ffprobe: string,
  file: string,
  param: string,
): Promise<Probe> {
  const args = [ffprobe, ...probeArguments(file)]
  const { exitCode, stdout } = await workspace.run(args, PROBE_SECONDS)
  const facts = exitCode === 0 ? readProbe(stdout.toString('utf8')) : null
  if (facts === null || (facts.size === null && !facts.hasAudio))
    throw new AppError(
      'invalid_params',
      `The file of "${param}" is not a video, audio or image that this gateway can read. Nothing was charged.`,
      { param, fix: 'Send a common format, such as MP4, WebM, MP3, WAV, PNG or JPEG.' },
    )
  return facts
}

/** Null for text that is not a report of ffprobe. */
export function readProbe(text: string): Probe | null {
  try {
    const report = JSON.parse(text) as {
      readonly streams?: readonly Stream[]
      readonly format?: { readonly duration?: string }
    }
    const streams = report.streams ?? []
    const video = streams.find(
      ({ codec_type: type, disposition }) => type === 'video' && disposition?.attached_pic !== 1,
    )
    const seconds = Number(report.format?.duration ?? Number.NaN)
    return {
      seconds: Number.isFinite(seconds) && seconds > 0 ? seconds : null,
      hasAudio: streams.some(({ codec_type: type }) => type === 'audio'),
      size: video === undefined ? null : sizeOf(video),
    }
  } catch {
    return null
  }
}

function sizeOf({ width = 0, height = 0, side_data_list: sides = [] }: Stream): Probe['size'] {
  if (width < 1 || height < 1) return null
  const isTurned = sides.some(({ rotation = 0 }) => Math.abs(rotation) % 180 === 90)
  return isTurned ? { width: height, height: width } : { width, height }
}
