/** Models that generate videos in the background, priced per second, megapixel or video. */
import { cents } from '../../lib/money.ts'
import { ltx } from './ltx.ts'
import { videoModel } from './video-model.ts'
import type { MediaModel } from '../../catalog/vocabulary/media-model.ts'

const wide = ['16:9', '9:16']
const common = { negative_prompt: {}, seed: {} }
const inSeconds = (seconds: number): string => `${seconds}s`

type FamilyRow = Pick<MediaModel, 'key' | 'title' | 'rates'> & { readonly variant: string }

function seedance({ variant, ...row }: FamilyRow): MediaModel {
  return videoModel({
    ...row,
    endpoint: `bytedance/seedance-2.0/${variant}/text-to-video`,
    fromImage: {
      endpoint: `bytedance/seedance-2.0/${variant}/image-to-video`,
      last: 'end_image_url',
    },
    duration: { least: 4, most: 15, default: 5 },
    formatSeconds: String,
    resolutions: ['720p', '480p'],
    forms: seedanceForms,
    hasAudio: true,
    further: { seed: {} },
  })
}

/** Durations of videos with a fixed price, by resolution. */
const FIXED_SECONDS: Readonly<Record<string, string>> = {
  '480p': '15',
  '720p': '15',
  '1080p': '10',
}

const seedanceForms = ['16:9', '9:16', '4:3', '3:4', '1:1', '21:9'] as const
const seedance2 = {
  endpoint: 'bytedance/seedance-2.0/text-to-video',
  fromImage: { endpoint: 'bytedance/seedance-2.0/image-to-video', last: 'end_image_url' },
  forms: seedanceForms,
  hasAudio: true,
  further: { seed: {} },
} as const

function kling({ variant, ...row }: FamilyRow): MediaModel {
  return videoModel({
    ...row,
    endpoint: `fal-ai/kling-video/v3/${variant}/text-to-video`,
    fromImage: {
      endpoint: `fal-ai/kling-video/v3/${variant}/image-to-video`,
      first: 'start_image_url',
      last: 'end_image_url',
    },
    duration: { least: 3, most: 15, default: 5 },
    formatSeconds: String,
    forms: ['16:9', '9:16', '1:1'],
    hasAudio: true,
    further: { negative_prompt: {} },
  })
}

export const videos: readonly MediaModel[] = [
  videoModel({
    key: 'veo-3.1',
    title: 'Veo 3.1',
    endpoint: 'fal-ai/veo3.1',
    fromImage: { endpoint: 'fal-ai/veo3.1/image-to-video' },
    duration: { values: [4, 6, 8], default: 8 },
    formatSeconds: inSeconds,
    resolutions: ['720p', '1080p', '4k'],
    forms: wide,
    hasAudio: true,
    rates: [
      { when: { resolution: '4k', generate_audio: true }, rate: cents('72') },
      { when: { generate_audio: true }, rate: cents('48') },
      { when: { resolution: '4k' }, rate: cents('48') },
      { rate: cents('24') },
    ],
    further: common,
  }),
  videoModel({
    key: 'veo-3.1-fast',
    title: 'Veo 3.1 Fast',
    endpoint: 'fal-ai/veo3.1/fast',
    fromImage: { endpoint: 'fal-ai/veo3.1/fast/image-to-video' },
    duration: { values: [4, 6, 8], default: 8 },
    formatSeconds: inSeconds,
    resolutions: ['720p', '1080p'],
    forms: wide,
    hasAudio: true,
    rates: [{ when: { generate_audio: true }, rate: cents('18') }, { rate: cents('12') }],
    further: common,
  }),
  videoModel({
    key: 'veo-3.1-lite',
    title: 'Veo 3.1 Lite',
    endpoint: 'fal-ai/veo3.1/lite',
    fromImage: { endpoint: 'fal-ai/veo3.1/lite/image-to-video' },
    duration: { values: [4, 6, 8], default: 8 },
    formatSeconds: inSeconds,
    resolutions: ['720p', '1080p'],
    forms: wide,
    hasAudio: true,
    rates: [
      { when: { resolution: '1080p', generate_audio: true }, rate: cents('9.6') },
      { when: { resolution: '1080p' }, rate: cents('6') },
      { when: { generate_audio: true }, rate: cents('6') },
      { rate: cents('3.6') },
    ],
    further: common,
  }),
  videoModel({
    ...seedance2,
    key: 'seedance-2',
    title: 'Seedance 2, fixed price per video: 15 seconds, 10 at 1080p',
    resolutions: ['720p', '480p', '1080p'],
    extraFields: ({ resolution }) => ({ duration: FIXED_SECONDS[String(resolution)] }),
    rates: [
      { when: { resolution: '1080p' }, rate: cents('813') },
      { when: { resolution: '480p' }, rate: cents('222') },
      { rate: cents('544') },
    ],
  }),
  videoModel({
    ...seedance2,
    key: 'seedance-2-4k',
    title: 'Seedance 2 in 4K',
    duration: { least: 4, most: 15, default: 5 },
    formatSeconds: String,
    extraFields: () => ({ resolution: '4k' }),
    rates: [{ rate: cents('468') }],
  }),
  seedance({
    key: 'seedance-2-fast',
    title: 'Seedance 2 Fast',
    variant: 'fast',
    rates: [{ when: { resolution: '480p' }, rate: cents('13.6') }, { rate: cents('29.1') }],
  }),
  seedance({
    key: 'seedance-2-mini',
    title: 'Seedance 2 Mini',
    variant: 'mini',
    rates: [{ when: { resolution: '480p' }, rate: cents('8.7') }, { rate: cents('18.6') }],
  }),
  kling({
    key: 'kling-3-4k',
    title: 'Kling 3 4K',
    variant: '4k',
    rates: [{ when: { generate_audio: true }, rate: cents('56.76') }, { rate: cents('50.4') }],
  }),
  kling({
    key: 'kling-3-pro',
    title: 'Kling 3 Pro',
    variant: 'pro',
    rates: [{ when: { generate_audio: true }, rate: cents('20.2') }, { rate: cents('13.5') }],
  }),
  kling({
    key: 'kling-3-std',
    title: 'Kling 3 Standard',
    variant: 'standard',
    rates: [{ when: { generate_audio: true }, rate: cents('15.2') }, { rate: cents('10.1') }],
  }),
  videoModel({
    key: 'kling-2.5-turbo',
    title: 'Kling 2.5 Turbo Pro',
    endpoint: 'fal-ai/kling-video/v2.5-turbo/pro/text-to-video',
    fromImage: { endpoint: 'fal-ai/kling-video/v2.5-turbo/pro/image-to-video' },
    duration: { values: [5, 10], default: 5 },
    formatSeconds: String,
    forms: ['16:9', '9:16', '1:1'],
    rates: [{ rate: cents('8.4') }],
    further: { negative_prompt: {} },
  }),
  videoModel({
    key: 'hailuo-2.3-pro',
    title: 'Hailuo 2.3 Pro',
    endpoint: 'fal-ai/minimax/hailuo-2.3/pro/text-to-video',
    fromImage: { endpoint: 'fal-ai/minimax/hailuo-2.3/pro/image-to-video' },
    rates: [{ rate: cents('58.8') }],
  }),
  videoModel({
    key: 'wan-2.7',
    title: 'Wan 2.7',
    endpoint: 'fal-ai/wan/v2.7/text-to-video',
    duration: { least: 2, most: 15, default: 5 },
    resolutions: ['720p', '1080p'],
    forms: wide,
    rates: [{ when: { resolution: '1080p' }, rate: cents('18') }, { rate: cents('12') }],
    further: { ...common, audio_url: {} },
  }),
  videoModel({
    key: 'grok-video',
    title: 'Grok Imagine Video',
    endpoint: 'xai/grok-imagine-video/text-to-video',
    fromImage: { endpoint: 'xai/grok-imagine-video/image-to-video' },
    duration: { least: 1, most: 15, default: 6 },
    resolutions: ['720p', '480p'],
    forms: ['16:9', '9:16', '4:3', '3:4', '1:1', '3:2', '2:3'],
    rates: [{ rate: cents('6') }],
  }),
  ...ltx,
]
