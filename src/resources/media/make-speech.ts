/** The model of espeak-ng. */
import { Readable } from 'node:stream'
import { AppError } from '../../errors/app-error.ts'
import { convertArguments } from './ffmpeg-arguments.ts'
import type { MediaPrograms } from './media-deps.ts'
import type { Made, Render } from './render.ts'

const WORDS_PER_MINUTE = 175
const SPEECH_SECONDS = 120
const TEXT_FILE = 'text.txt'
const SPEECH_FILE = 'speech'
const LANGUAGE = /^[a-z]{2,3}(?:-[a-z0-9]{1,8}){0,3}$/
/** A variant of espeak-ng, such as "f2". */
const VARIANT = /^[a-z][a-z0-9_]{0,19}$/i
const UNKNOWN_VOICE = /voice|language/i

type Spoken = {
  readonly text: string
  readonly language: string
  readonly speed: number
  readonly voice?: string
  readonly output_format: 'wav' | 'mp3'
}

export async function makeSpeech(render: Render, { espeak, ffmpeg }: MediaPrograms): Promise<Made> {
  const { text, output_format: format, ...spoken } = render.input as Spoken
  const args = speechArguments(spoken)
  if (format === 'mp3' && ffmpeg === null)
    throw invalid('output_format', 'This gateway has no ffmpeg, which MP3 needs.', 'Send "wav".')
  const bytes = Buffer.from(text.toWellFormed().replaceAll('\0', ' '))
  await render.workspace.put(TEXT_FILE, Readable.from([bytes]), bytes.length)
  const { exitCode, isTimedOut, stderr } = await render.workspace.run(
    [espeak ?? '', ...args],
    SPEECH_SECONDS,
  )
  const report = stderr.toString('utf8')
  if (exitCode !== 0 && UNKNOWN_VOICE.test(report)) throw unknownVoice(spoken)
  if (exitCode !== 0 || isTimedOut)
    throw new AppError('upstream_error', 'The text could not be spoken. Nothing was charged.', {
      fix: 'Send a shorter text.',
    })
  if (format === 'wav') return { name: SPEECH_FILE, mime: 'audio/wav', filename: 'speech.wav' }
  await render.run(
    ffmpeg,
    convertArguments({
      input: SPEECH_FILE,
      output: 'made',
      format: 'mp3',
      part: { startSeconds: 0, seconds: 3_600 },
      frame: { kind: 'own' },
    }),
  )
  return { name: 'made', mime: 'audio/mpeg', filename: 'speech.mp3' }
}

/** Throws AppError `invalid_params` for a language or voice that is not the name of one. */
export function speechArguments({
  language,
  voice,
  speed,
}: Pick<Spoken, 'language' | 'voice' | 'speed'>): readonly string[] {
  const code = language.toLowerCase()
  if (!LANGUAGE.test(code))
    throw invalid(
      'language',
      'The language is not a language code.',
      'Send one such as "en" or "de".',
    )
  if (voice !== undefined && !VARIANT.test(voice))
    throw invalid(
      'voice',
      'The voice is not the name of a variant.',
      'Send one such as "f2" or "m3".',
    )
  return [
    ['-b', '1'],
    ['-v', voice === undefined ? code : `${code}+${voice}`],
    ['-s', String(Math.round(WORDS_PER_MINUTE * speed))],
    ['-w', SPEECH_FILE],
    ['-f', TEXT_FILE],
  ].flat()
}

function unknownVoice({ language, voice }: Pick<Spoken, 'language' | 'voice'>): AppError {
  return invalid(
    'language',
    `eSpeak NG has no voice for "${language}"${voice === undefined ? '' : ` with "${voice}"`}.`,
    'Send a language such as "en", "de", "fr" or "cmn", and a voice such as "f2", or none.',
  )
}

function invalid(param: string, message: string, fix: string): AppError {
  return new AppError('invalid_params', `${message} Nothing was charged.`, { param, fix })
}
