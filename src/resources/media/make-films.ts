/** The models of ffmpeg. */
import { Readable } from 'node:stream'
import { AppError, invariant } from '../../errors/app-error.ts'
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import { MOST_CUES, readCues, writeCaptions, type Cue } from './captions.ts'
import {
  assembleArguments,
  CAPTIONS_FILE,
  convertArguments,
  frameOf,
  KIND_OF_FORMAT,
  type AssembledClip,
  type Format,
  type Frame,
} from './ffmpeg-arguments.ts'
import type { Probe } from './probe.ts'
import type { Made, Render } from './render.ts'

const MOST_SECONDS = 600
const MOST_GIF_SECONDS = 60
const MOST_CAPTION_BYTES = 1024 * 1024
const MADE = 'made'

const MIMES: Readonly<Record<Format, string>> = {
  mp4: 'video/mp4',
  webm: 'video/webm',
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  gif: 'image/gif',
  png: 'image/png',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
}

export const THUMBNAIL = 'ffmpeg-thumbnail'

export type Maker = (render: Render, ffmpeg: string | null) => Promise<Made>

/** By the key of the model. */
export const FILM_MAKERS: Readonly<Record<string, Maker>> = {
  'ffmpeg-assembly': assemble,
  'ffmpeg-captions': addCaptions,
  'ffmpeg-convert': convert,
  [THUMBNAIL]: takeFrame,
}

async function assemble(render: Render, ffmpeg: string | null): Promise<Made> {
  const { input } = render
  const cues = await cuesOf(render)
  const clips: AssembledClip[] = []
  for (const [at, address] of (input['video_urls'] as readonly string[]).entries()) {
    const file = `clip${at}`
    const facts = await render.load(file, 'video_urls', address)
    clips.push({ file, hasAudio: facts.hasAudio, seconds: lengthOf(facts, 'video_urls') })
  }
  const total = clips.reduce((sum, { seconds }) => sum + seconds, 0)
  if (total > MOST_SECONDS) throw tooLong('video_urls', total, MOST_SECONDS)
  const audio = await loadOptional(render, 'audio_url', 'audio')
  const logo = await loadOptional(render, 'image_url', 'logo')
  const frame = frameOf(input['aspect_ratio'], input['resolution'], '720p')
  invariant(frame.kind === 'exact', 'an assembly has an aspect ratio')
  await putCaptions(render, cues, frame)
  const hasCaptions = cues.length > 0
  const args = assembleArguments({ clips, frame, output: MADE, audio, logo, hasCaptions })
  await render.run(ffmpeg, args)
  return made('mp4', 'film')
}

async function addCaptions(render: Render, ffmpeg: string | null): Promise<Made> {
  const { input } = render
  const cues = await cuesOf(render)
  if (cues.length === 0)
    throw invalid(
      'captions',
      'ffmpeg-captions needs captions.',
      'Add "captions" or "captions_url".',
    )
  const facts = await render.load('input', 'video_url', String(input['video_url']))
  const seconds = lengthOf(facts, 'video_url')
  if (seconds > MOST_SECONDS) throw tooLong('video_url', seconds, MOST_SECONDS)
  const frame: Frame = { kind: 'own' }
  await putCaptions(render, cues, facts.size ?? { width: 1280, height: 720 })
  const part = { startSeconds: 0, seconds: MOST_SECONDS }
  const conversion = { input: 'input', output: MADE, format: 'mp4', part, frame } as const
  await render.run(ffmpeg, convertArguments({ ...conversion, hasCaptions: true }))
  return made('mp4', 'film')
}

async function convert(render: Render, ffmpeg: string | null): Promise<Made> {
  const { input } = render
  const format = input['output_format'] as Format
  const kind = KIND_OF_FORMAT[format]
  const facts = await render.load('input', 'file_url', String(input['file_url']))
  if (kind === 'audio' ? !facts.hasAudio : facts.size === null)
    throw invalid(
      'output_format',
      `The file has no ${kind === 'audio' ? 'audio' : 'video'}, which "${format}" needs.`,
      `Send ${kind === 'audio' ? 'a file with audio' : '"mp3" or "wav"'}.`,
    )
  const startSeconds = startOf(input, facts, 'file_url')
  const most = format === 'gif' ? MOST_GIF_SECONDS : MOST_SECONDS
  const rest = facts.seconds === null ? 0 : facts.seconds - startSeconds
  const seconds = Math.min(Number(input['duration'] ?? rest), rest === 0 ? most : rest)
  const isStill = kind === 'image' && format !== 'gif'
  if (!isStill && seconds > most) throw tooLong('duration', seconds, most)
  const usual = isStill ? '1K' : '720p'
  const frame = frameOf(input['aspect_ratio'], input['resolution'], usual)
  const part = { startSeconds, seconds: isStill || seconds === 0 ? most : seconds }
  await render.run(ffmpeg, convertArguments({ input: 'input', output: MADE, format, part, frame }))
  return made(format, kind === 'video' ? 'film' : kind === 'audio' ? 'sound' : 'picture')
}

async function takeFrame(render: Render, ffmpeg: string | null): Promise<Made> {
  const { input } = render
  const format = input['output_format'] as Format
  const facts = await render.load('input', 'video_url', String(input['video_url']))
  if (facts.size === null)
    throw invalid('video_url', 'The file has no video.', 'Send the URL of a video.')
  const startSeconds = startOf(input, facts, 'video_url')
  const frame = frameOf(input['aspect_ratio'], input['resolution'], '1K')
  const part = { startSeconds, seconds: MOST_SECONDS }
  await render.run(ffmpeg, convertArguments({ input: 'input', output: MADE, format, part, frame }))
  return made(format, 'thumbnail')
}

function made(format: Format, name: string): Made {
  const ending = format === 'jpeg' ? 'jpg' : format
  return { name: MADE, mime: MIMES[format], filename: `${name}.${ending}` }
}

async function loadOptional(
  render: Render,
  param: string,
  name: string,
): Promise<string | undefined> {
  const address = render.input[param]
  if (typeof address !== 'string') return undefined
  const facts = await render.load(name, param, address)
  if (name === 'audio' ? facts.hasAudio : facts.size !== null) return name
  throw invalid(
    param,
    `The file of "${param}" has no ${name === 'audio' ? 'audio' : 'image'}.`,
    'Send another file.',
  )
}

/** The cues of the input. Throws AppError `invalid_params` for a file without any. */
async function cuesOf(render: Render): Promise<readonly Cue[]> {
  const { input } = render
  const address = input['captions_url']
  const listed = (input['captions'] ?? []) as readonly Caption[]
  if (typeof address !== 'string')
    return listed.map(({ text, timestamp, duration }) => ({
      text,
      fromMs: timestamp,
      toMs: timestamp + duration,
    }))
  if (listed.length > 0)
    throw invalid('captions', 'Captions were sent twice.', 'Send "captions" or "captions_url".')
  const cues = readCues(await render.loadText('captions_url', address, MOST_CAPTION_BYTES))
  if (cues.length > 0 && cues.length <= MOST_CUES) return cues
  throw invalid(
    'captions_url',
    cues.length === 0
      ? 'The file of "captions_url" has no captions.'
      : `The file of "captions_url" has more than ${MOST_CUES} captions.`,
    'Send a SubRip (.srt) or WebVTT (.vtt) file in UTF-8.',
  )
}

type Caption = { readonly text: string; readonly timestamp: number; readonly duration: number }

async function putCaptions(
  { workspace }: Render,
  cues: readonly Cue[],
  size: { readonly width: number; readonly height: number },
): Promise<void> {
  if (cues.length === 0) return
  const bytes = Buffer.from(writeCaptions(cues, size))
  await workspace.put(CAPTIONS_FILE, Readable.from([bytes]), bytes.length)
}

function startOf(input: Data, { seconds }: Probe, param: string): number {
  const start = Number(input['start_s'] ?? 0)
  if (start > 0 && seconds !== null && start >= seconds)
    throw invalid(
      'start_s',
      `"start_s" is ${start}, but the file of "${param}" has ${seconds.toFixed(1)} seconds.`,
      'Send a smaller value.',
    )
  return start
}

/** Throws AppError `invalid_params` for a file that is no video. */
function lengthOf({ seconds, size }: Probe, param: string): number {
  if (seconds !== null && size !== null) return seconds
  throw invalid(param, `A file of "${param}" is not a video.`, 'Send URLs of videos.')
}

function tooLong(param: string, seconds: number, most: number): AppError {
  return invalid(
    param,
    `The result would have ${Math.ceil(seconds)} seconds; at most ${most} are possible.`,
    'Send shorter files, or a part of one with ffmpeg-convert, "start_s" and "duration".',
  )
}

function invalid(param: string, message: string, fix: string): AppError {
  return new AppError('invalid_params', `${message} Nothing was charged.`, { param, fix })
}
