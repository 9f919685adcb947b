/**
 * Models of the gateway's own machine: ffmpeg and espeak-ng. Their keys name the program, so that none
 * passes for a model of a vendor.
 */
import { cents, type Micros } from '../../lib/money.ts'
import { omitFields } from '../shared/fields.ts'
import type { MediaModel, Rule, Unit } from '../../catalog/vocabulary/media-model.ts'
import { speechModel } from './audio.ts'

/** The word in IN_HOUSE. */
export const MEDIA_PART = 'media'
const FFMPEG = 'media.ffmpeg'
const SPEECH = 'media.espeak-ng'

/** The path at the simulators. */
function simulated(key: string): string {
  return `tollgate/${key}`
}

type OwnModel = Pick<MediaModel, 'key' | 'title' | 'kind'> & {
  readonly params: Readonly<Record<string, Rule>>
  readonly rate: Micros
  readonly unit?: Unit
}

function ffmpegModel({ rate, unit = 'call', ...model }: OwnModel): MediaModel {
  return {
    ...model,
    unit,
    rates: [{ rate }],
    units: () => 1,
    span: [1, 1],
    inHouse: FFMPEG,
    endpoint: () => simulated(model.key),
    body: (input) => omitFields(input, 'model'),
  }
}

const LINES = ['480p', '720p', '1080p']

export const ownModels: readonly MediaModel[] = [
  ffmpegModel({
    key: 'ffmpeg-assembly',
    title: 'ffmpeg: clips in sequence, with audio, captions and a logo',
    kind: 'assembly',
    rate: cents('100'),
    params: {
      video_urls: { required: true },
      audio_url: {},
      captions: {},
      captions_url: {},
      image_url: {},
      aspect_ratio: { default: '16:9' },
      resolution: { values: LINES, default: '720p' },
    },
  }),
  ffmpegModel({
    key: 'ffmpeg-captions',
    title: 'ffmpeg: captions burnt into a video',
    kind: 'conversion',
    rate: cents('25'),
    params: { video_url: { required: true }, captions: {}, captions_url: {} },
  }),
  ffmpegModel({
    key: 'ffmpeg-convert',
    title: 'ffmpeg: another format, size or part of a file',
    kind: 'conversion',
    rate: cents('10'),
    params: {
      file_url: { required: true },
      output_format: { required: true },
      start_s: {},
      duration: { most: 600 },
      aspect_ratio: {},
      resolution: { values: [...LINES, '1K', '2K'] },
    },
  }),
  ffmpegModel({
    key: 'ffmpeg-thumbnail',
    title: 'ffmpeg: a frame of a video',
    kind: 'image',
    rate: cents('1'),
    unit: 'image',
    params: {
      video_url: { required: true },
      start_s: { default: 0 },
      aspect_ratio: {},
      resolution: { values: ['1K', '2K'] },
      output_format: { values: ['jpeg', 'png', 'webp'], default: 'jpeg' },
    },
  }),
  {
    ...speechModel({
      key: 'espeak-ng',
      title: 'eSpeak NG: synthetic speech in many languages',
      endpoint: simulated('speech'),
      rate: cents('1'),
      further: {
        voice: {},
        language: { default: 'en' },
        speed: { default: 1 },
        output_format: { values: ['wav', 'mp3'], default: 'wav' },
      },
      body: (input) => omitFields(input, 'model'),
    }),
    inHouse: SPEECH,
  },
]

/** For gateways without a vendor's key. */
export const ownExamples = {
  [SPEECH]: { model: 'espeak-ng', text: 'The gate opens at nine.', language: 'en' },
  [FFMPEG]: {
    model: 'ffmpeg-thumbnail',
    video_url: 'https://example.com/clip.mp4',
    start_s: 1,
  },
} as const
