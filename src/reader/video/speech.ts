/** Measures spoken lines and adds them to a video. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { AppError } from '../../errors/app-error.ts'

/** An audio file; `form` is ffmpeg's name of its format. */
export type Sound = { readonly path: string; readonly form: string }
/** When a line starts, in seconds of the video. */
export type SpokenLine = Sound & { readonly startSeconds: number }

const run = promisify(execFile)
const PROBE_TIMEOUT_MS = 10_000
const MIX_TIMEOUT_MS = 60_000

const SIGNATURES: readonly (readonly [string, (bytes: Uint8Array) => boolean])[] = [
  ['wav', (bytes) => begins(bytes, 'RIFF')],
  ['ogg', (bytes) => begins(bytes, 'OggS')],
  ['flac', (bytes) => begins(bytes, 'fLaC')],
  [
    'mp3',
    (bytes) => begins(bytes, 'ID3') || (bytes[0] === 0xff && ((bytes[1] ?? 0) & 0xe0) === 0xe0),
  ],
]

function begins(bytes: Uint8Array, signature: string): boolean {
  return Buffer.from(bytes.subarray(0, signature.length)).toString('latin1') === signature
}

/**
 * ffmpeg's name of an audio format, found by the first bytes. Null for anything else: ffmpeg would
 * also read lists of other files.
 */
export function soundFormOf(bytes: Uint8Array): string | null {
  return SIGNATURES.find(([, matches]) => matches(bytes))?.[0] ?? null
}

/** The length in seconds, found by decoding; null if it cannot be played. */
export async function secondsOfSound(
  program: string,
  { path, form }: Sound,
): Promise<number | null> {
  const decoding = run(
    program,
    ['-hide_banner', '-nostdin', '-f', form, '-i', path, '-vn', '-f', 'null', '-'],
    { env: {}, timeout: PROBE_TIMEOUT_MS, killSignal: 'SIGKILL' },
  )
  const log = await decoding.then(
    ({ stderr }) => stderr,
    () => '',
  )
  const time = [...log.matchAll(/time=(\d+):(\d\d):(\d\d(?:\.\d+)?)/g)].at(-1)
  return time === undefined
    ? null
    : Number(time[1]) * 3_600 + Number(time[2]) * 60 + Number(time[3])
}

/** Adds the lines to the video without changing its images. Rejects with AppError `internal`. */
export async function addSpeech(
  program: string,
  video: string,
  lines: readonly SpokenLine[],
  seconds: number,
  output: string,
): Promise<void> {
  const delayed = lines.map(({ startSeconds }, index) => {
    const delayMs = Math.round(startSeconds * 1_000)
    return `[${index + 1}:a]aformat=sample_rates=44100:channel_layouts=stereo,adelay=${delayMs}|${delayMs},apad[line${index}]`
  })
  // `amix` divides the volume by the number of lines that have not ended, which is all of them.
  // Lines never overlap.
  const mixed = `${lines.map((_line, index) => `[line${index}]`).join('')}amix=inputs=${lines.length},volume=${lines.length}[speech]`
  const inputs = lines.flatMap(({ path, form }) => ['-f', form, '-i', path])
  await run(
    program,
    [
      '-hide_banner',
      '-loglevel',
      'error',
      '-nostdin',
      '-y',
      '-i',
      video,
      ...inputs,
      '-filter_complex',
      [...delayed, mixed].join(';'),
      '-map',
      '0:v',
      '-map',
      '[speech]',
      '-c:v',
      'copy',
      '-c:a',
      'aac',
      '-b:a',
      '128k',
      '-t',
      String(seconds),
      '-movflags',
      '+faststart',
      output,
    ],
    { env: {}, timeout: MIX_TIMEOUT_MS, killSignal: 'SIGKILL' },
  ).catch((error: unknown) => {
    throw new AppError(
      'internal',
      'The narration could not be added to the video. Nothing was charged.',
      { cause: error },
    )
  })
}
