/**
 * Models that process the caller's videos in the background: lip sync, background removal,
 * assembly.
 */
import { cents } from '../../lib/money.ts'
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import { omitFields } from '../shared/fields.ts'
import type { MediaModel, Rate, Rule } from '../../catalog/vocabulary/media-model.ts'

/** Limits the chargeable duration of the files. */
const SECONDS = { least: 1, most: 600, default: 60 }

type EditModel = Pick<MediaModel, 'key' | 'title' | 'kind'> & {
  readonly endpoint: string
  readonly params: Readonly<Record<string, Rule>>
  readonly rates: readonly Rate[]
  readonly fixed?: Readonly<Record<string, unknown>>
  readonly length: NonNullable<MediaModel['length']>
  /** A lower limit of the vendor for this model. */
  readonly mostSeconds?: number
}

const ofVideo: EditModel['length'] = { of: ['video_url'], seconds: longest }
const ofAudio: EditModel['length'] = { of: ['audio_url'], seconds: longest }
const ofBoth: EditModel['length'] = { of: ['video_url', 'audio_url'], seconds: longest }

function longest(lengths: readonly number[]): number {
  return Math.max(...lengths)
}

/** Sync's rule for video and audio of different lengths. */
function syncedLength(
  [video = 0, audio = 0]: readonly number[],
  { sync_mode: mode }: Data,
): number {
  if (mode === 'cut_off') return Math.min(video, audio)
  return mode === 'silence' ? Math.max(video, audio) : audio
}

function editModel({
  key,
  title,
  kind,
  endpoint,
  params,
  rates,
  fixed = {},
  length,
  mostSeconds = SECONDS.most,
}: EditModel): MediaModel {
  const allowed = { ...SECONDS, most: mostSeconds }
  return {
    key,
    title,
    kind,
    params: { ...params, duration: allowed },
    unit: 'second',
    rates,
    units: ({ duration }) => Number(duration),
    span: [allowed.least, allowed.most],
    length,
    endpoint: () => endpoint,
    body: (input) => ({ ...omitFields(input, 'model', 'duration'), ...fixed }),
  }
}

function assemblyModel({
  key,
  title,
  endpoint,
  params,
}: Pick<EditModel, 'key' | 'title' | 'endpoint' | 'params'>): MediaModel {
  return {
    key,
    title,
    kind: 'assembly',
    params,
    unit: 'call',
    rates: [{ rate: cents('100') }],
    units: () => 1,
    span: [1, 1],
    endpoint: () => endpoint,
    body: (input) => omitFields(input, 'model'),
  }
}

const videoAndAudio = { video_url: { required: true }, audio_url: { required: true } } as const

export const edits: readonly MediaModel[] = [
  editModel({
    key: 'sync-lipsync-2',
    title: 'Sync Lipsync 2',
    kind: 'lipsync',
    endpoint: 'fal-ai/sync-lipsync/v2',
    params: { ...videoAndAudio, sync_mode: { default: 'cut_off' } },
    rates: [{ rate: cents('6') }],
    length: { ...ofBoth, seconds: syncedLength },
  }),
  editModel({
    key: 'veed-lipsync',
    title: 'VEED Lipsync',
    kind: 'lipsync',
    endpoint: 'veed/lipsync',
    params: videoAndAudio,
    rates: [{ rate: cents('0.8') }],
    length: ofBoth,
  }),
  editModel({
    key: 'fabric',
    title: 'VEED Fabric: talking image',
    kind: 'lipsync',
    endpoint: 'veed/fabric-1.0',
    params: {
      image_url: { required: true },
      audio_url: { required: true },
      resolution: { values: ['480p', '720p'], default: '480p' },
    },
    rates: [{ when: { resolution: '720p' }, rate: cents('18') }, { rate: cents('9.6') }],
    length: ofAudio,
  }),
  editModel({
    key: 'bria-video-bg',
    title: 'Bria video background removal',
    kind: 'background-removal',
    endpoint: 'bria/video/background-removal/v3',
    params: { video_url: { required: true }, background_color: { default: 'Transparent' } },
    rates: [{ rate: cents('6') }],
    fixed: { output_container_and_codec: 'webm_vp9' },
    length: ofVideo,
    mostSeconds: 60,
  }),
  editModel({
    key: 'veed-video-bg',
    title: 'VEED video background removal',
    kind: 'background-removal',
    endpoint: 'veed/video-background-removal',
    params: { video_url: { required: true } },
    rates: [{ rate: cents('6') }],
    fixed: { output_codec: 'vp9' },
    length: ofVideo,
  }),
  assemblyModel({
    key: 'ffmpeg-compose',
    title: 'Videos, audio and images on tracks',
    endpoint: 'fal-ai/ffmpeg-api/compose',
    params: { tracks: { required: true } },
  }),
  assemblyModel({
    key: 'ffmpeg-merge',
    title: 'Videos joined in sequence',
    endpoint: 'fal-ai/ffmpeg-api/merge-videos',
    params: { video_urls: { required: true } },
  }),
]
