/** The LTX models: videos priced per megapixel of all frames. */
import { cents } from '../../lib/money.ts'
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import { omitFields } from '../shared/fields.ts'
import type { MediaModel } from '../../catalog/vocabulary/media-model.ts'

const FRAMES_PER_SECOND = 25
const MILLION = 1_000_000
const LINES: Readonly<Record<string, readonly [long: number, short: number]>> = {
  '480p': [832, 480],
  '720p': [1280, 720],
  '1080p': [1920, 1088],
}

function sizeOf({ resolution, aspect_ratio: form }: Data): {
  readonly width: number
  readonly height: number
} {
  const [long, short] = LINES[String(resolution)] ?? [1280, 720]
  return form === '9:16' ? { width: short, height: long } : { width: long, height: short }
}

function framesOf({ duration }: Data): number {
  return Number(duration) * FRAMES_PER_SECOND + 1
}

/** The pixels of all frames, in millions. */
function megapixelsOf(input: Data): number {
  const { width, height } = sizeOf(input)
  return (width * height * framesOf(input)) / MILLION
}

const SECONDS = { least: 1, most: 15, default: 5 }

function ltxModel({
  key,
  title,
  endpoint,
  rates,
}: Pick<MediaModel, 'key' | 'title' | 'rates'> & { readonly endpoint: string }): MediaModel {
  return {
    key,
    title,
    kind: 'video',
    params: {
      prompt: { required: true },
      duration: SECONDS,
      resolution: { values: Object.keys(LINES), default: '720p' },
      aspect_ratio: { values: ['16:9', '9:16'], default: '16:9' },
      generate_audio: { default: true },
      image_url: {},
      negative_prompt: {},
      seed: {},
    },
    unit: 'megapixel',
    rates,
    units: megapixelsOf,
    span: [
      megapixelsOf({ duration: SECONDS.least, resolution: '480p' }),
      megapixelsOf({ duration: SECONDS.most, resolution: '1080p' }),
    ],
    endpoint: ({ image_url }) =>
      `${endpoint}/${image_url === undefined ? 'text' : 'image'}-to-video`,
    body: (input) => {
      const rest = omitFields(input, 'model', 'duration', 'resolution', 'aspect_ratio')
      return {
        ...rest,
        num_frames: framesOf(input),
        fps: FRAMES_PER_SECOND,
        video_size: sizeOf(input),
      }
    },
  }
}

export const ltx: readonly MediaModel[] = [
  ltxModel({
    key: 'ltx-2',
    title: 'LTX-2',
    endpoint: 'fal-ai/ltx-2-19b',
    rates: [{ rate: cents('0.22') }],
  }),
  ltxModel({
    key: 'ltx-2-distilled',
    title: 'LTX-2 distilled',
    endpoint: 'fal-ai/ltx-2-19b/distilled',
    rates: [{ rate: cents('0.14') }],
  }),
]
