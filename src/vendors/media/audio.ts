/** Speech models, priced by characters of text, and music models, priced per piece. */
import { cents, type Micros } from '../../lib/money.ts'
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import { dropUndefined } from '../shared/fields.ts'
import type { MediaModel, Rule } from '../../catalog/vocabulary/media-model.ts'

const CHARACTERS = 1_000
const MAX_CHARACTERS = 10_000

type SpeechModel = Pick<MediaModel, 'key' | 'title' | 'body'> & {
  readonly endpoint: string
  readonly rate: Micros
  readonly further?: Readonly<Record<string, Rule>>
  readonly mostCharacters?: number
}

/** Counts characters as people do. Some occupy two units of a string. */
function charactersOf({ text }: Data): number {
  return Array.from(String(text)).length
}

export function speechModel({
  key,
  title,
  endpoint,
  rate,
  body,
  further = {},
  mostCharacters = MAX_CHARACTERS,
}: SpeechModel): MediaModel {
  return {
    key,
    title,
    kind: 'speech',
    params: { text: { required: true, most: mostCharacters }, ...further },
    unit: '1,000 characters',
    rates: [{ rate }],
    units: (input) => charactersOf(input) / CHARACTERS,
    span: [1 / CHARACTERS, mostCharacters / CHARACTERS],
    endpoint: () => endpoint,
    body,
  }
}

export const speech: readonly MediaModel[] = [
  speechModel({
    key: 'eleven-turbo-2.5',
    title: 'ElevenLabs Turbo 2.5',
    endpoint: 'fal-ai/elevenlabs/tts/turbo-v2.5',
    rate: cents('6'),
    further: { voice: { default: 'Rachel' }, speed: { least: 0.7, most: 1.2 }, language: {} },
    body: ({ text, voice, speed, language }) =>
      dropUndefined({ text, voice, speed, language_code: language }),
  }),
  speechModel({
    key: 'minimax-speech-turbo',
    title: 'MiniMax Speech 2.8 Turbo',
    endpoint: 'fal-ai/minimax/speech-2.8-turbo',
    rate: cents('6'),
    further: { voice: { default: 'Wise_Woman' }, speed: { default: 1 } },
    body: ({ text, voice, speed }) => ({
      prompt: text,
      voice_setting: { voice_id: voice, speed },
      output_format: 'url',
    }),
  }),
  speechModel({
    key: 'chatterbox',
    title: 'Chatterbox',
    endpoint: 'fal-ai/chatterbox/text-to-speech',
    rate: cents('4'),
    further: { audio_url: {}, seed: {} },
    body: ({ text, audio_url, seed }) => dropUndefined({ text, audio_url, seed }),
  }),
  speechModel({
    key: 'kokoro',
    title: 'Kokoro, American English',
    endpoint: 'fal-ai/kokoro/american-english',
    rate: cents('4'),
    further: { voice: { default: 'af_heart' }, speed: { default: 1 } },
    body: ({ text, voice, speed }) => ({ prompt: text, voice, speed }),
  }),
]

export const music: readonly MediaModel[] = [
  {
    key: 'minimax-music',
    title: 'MiniMax Music 2.6',
    kind: 'music',
    params: { prompt: { required: true, most: 2_000 }, lyrics: {}, instrumental: {} },
    unit: 'call',
    rates: [{ rate: cents('18') }],
    units: () => 1,
    span: [1, 1],
    endpoint: () => 'fal-ai/minimax-music/v2.6',
    // Without lyrics, the model writes its own.
    body: ({ prompt, lyrics, instrumental }) =>
      dropUndefined({
        prompt,
        lyrics,
        is_instrumental: instrumental,
        ...(lyrics === undefined && instrumental !== true ? { lyrics_optimizer: true } : {}),
      }),
  },
]
