import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { AppError } from '../../errors/app-error.ts'
import { FRAMES_PER_SECOND } from './motion.ts'

export type Encoder = {
  /** Writes a JPEG as the next `count` frames. Waits while the encoder is behind. */
  write(jpeg: Buffer, count: number): Promise<void>
  /** Ends the video. Rejects if encoding failed. */
  finish(): Promise<void>
  /** Kills the encoder if it still runs. */
  stop(): void
}

export type EncoderSettings = {
  readonly program: string
  /** Arguments of the program before those of ffmpeg, for a program that starts ffmpeg. */
  readonly programArgs?: readonly string[]
  /** 25 by default. */
  readonly framesPerSecond?: number
  /** Fits frames of any size into this one. By default all frames have the size of the first one. */
  readonly frame?: { readonly width: number; readonly height: number }
  /** Smaller files of lower quality, with one thread. */
  readonly isDraft?: boolean
  readonly output: string
  readonly maxBytes: number
}

const MAX_LOG_CHARACTERS = 2_000

/**
 * Feeds ffmpeg frame by frame: H.264, yuv420p, playable while it loads. Memory stays constant for
 * any length.
 */
export function startEncoder(settings: EncoderSettings): Encoder {
  const { program, programArgs = [] } = settings
  // Inherits no environment. If this process dies, the pipe closes and ffmpeg ends.
  const child = spawn(program, [...programArgs, ...argumentsFor(settings)], {
    stdio: ['pipe', 'ignore', 'pipe'],
    env: {},
  })
  let log = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    log = (log + text).slice(-MAX_LOG_CHARACTERS)
  })
  // The end of the process reports a broken pipe.
  child.stdin.on('error', () => undefined)
  let isOver = false
  const ended = new Promise<number | null>((resolve) => {
    const end = (code: number | null): void => {
      isOver = true
      resolve(code)
    }
    child.once('error', (error) => {
      log = error.message
      end(null)
    })
    child.once('close', end)
  })
  const broken = (): AppError =>
    new AppError('internal', 'The video could not be made. Nothing was charged.', { cause: log })
  return {
    async write(jpeg, count) {
      for (let left = count; left > 0; left -= 1) {
        if (isOver || child.stdin.destroyed) throw broken()
        if (!child.stdin.write(jpeg))
          await Promise.race([once(child.stdin, 'drain').catch(() => undefined), ended])
      }
    },
    async finish() {
      child.stdin.end()
      if ((await ended) !== 0) throw broken()
    },
    stop: () => void child.kill('SIGKILL'),
  }
}

function argumentsFor({
  output,
  maxBytes,
  framesPerSecond = FRAMES_PER_SECOND,
  frame,
  isDraft = false,
}: EncoderSettings): string[] {
  return [
    '-hide_banner',
    '-loglevel',
    'error',
    '-nostats',
    '-y',
    '-f',
    'image2pipe',
    '-c:v',
    'mjpeg',
    '-framerate',
    String(framesPerSecond),
    '-i',
    'pipe:0',
    // JPEGs use the full range of brightness, videos a limited range.
    '-vf',
    `scale=${fitted(frame)}in_range=full:in_color_matrix=bt601:out_range=tv:out_color_matrix=bt709:flags=accurate_rnd+full_chroma_int${padded(frame)},format=yuv420p`,
    '-colorspace',
    'bt709',
    '-color_primaries',
    'bt709',
    '-color_trc',
    'bt709',
    '-color_range',
    'tv',
    '-c:v',
    'libx264',
    '-preset',
    'veryfast',
    '-crf',
    isDraft ? '26' : '20',
    '-threads',
    isDraft ? '1' : '2',
    '-movflags',
    '+faststart',
    '-fs',
    String(maxBytes),
    output,
  ]
}

function fitted(frame: EncoderSettings['frame']): string {
  return frame === undefined
    ? ''
    : `${frame.width}:${frame.height}:force_original_aspect_ratio=decrease:`
}

function padded(frame: EncoderSettings['frame']): string {
  return frame === undefined ? '' : `,pad=${frame.width}:${frame.height}:(ow-iw)/2:(oh-ih)/2`
}
