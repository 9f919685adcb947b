/** Models that work on films of the caller's, in the background: speech for lips, no background, several put together. */
import { cents } from '../../lib/money.ts'
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import { without } from './given.ts'
import type { MediaModel, Rate, Rule } from '../../catalog/vocabulary/media-model.ts'

/** How much of the length of the files may be charged. */
const SECONDS = { least: 1, most: 600, default: 60 }

type EditModel = Pick<MediaModel, 'key' | 'title' | 'kind'> & {
  readonly endpoint: string
  readonly params: Readonly<Record<string, Rule>>
  readonly rates: readonly Rate[]
  readonly fixed?: Readonly<Record<string, unknown>>
  readonly length: NonNullable<MediaModel['length']>
  /** Where the vendor takes less than others do. */
  readonly mostSeconds?: number
}

const ofFilm: EditModel['length'] = { of: ['video_url'], seconds: longest }
const ofSound: EditModel['length'] = { of: ['audio_url'], seconds: longest }
const ofBoth: EditModel['length'] = { of: ['video_url', 'audio_url'], seconds: longest }

function longest(lengths: readonly number[]): number {
  return Math.max(...lengths)
}

/** Sync's own rule for film and sound that are not equally long. */
function syncedLength([film = 0, sound = 0]: readonly number[], { sync_mode: mode }: Data): number {
  if (mode === 'cut_off') return Math.min(film, sound)
  return mode === 'silence' ? Math.max(film, sound) : sound
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
    body: (asked) => ({ ...without(asked, 'model', 'duration'), ...fixed }),
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
    body: (asked) => without(asked, 'model'),
  }
}

const filmAndSound = { video_url: { required: true }, audio_url: { required: true } } as const

export const edits: readonly MediaModel[] = [
  editModel({
    key: 'sync-lipsync-2',
    title: 'Sync Lipsync 2',
    kind: 'lipsync',
    endpoint: 'fal-ai/sync-lipsync/v2',
    params: { ...filmAndSound, sync_mode: { default: 'cut_off' } },
    rates: [{ rate: cents('6') }],
    length: { ...ofBoth, seconds: syncedLength },
  }),
  editModel({
    key: 'veed-lipsync',
    title: 'VEED Lipsync',
    kind: 'lipsync',
    endpoint: 'veed/lipsync',
    params: filmAndSound,
    rates: [{ rate: cents('0.8') }],
    length: ofBoth,
  }),
  editModel({
    key: 'fabric',
    title: 'VEED Fabric: a picture that speaks',
    kind: 'lipsync',
    endpoint: 'veed/fabric-1.0',
    params: {
      image_url: { required: true },
      audio_url: { required: true },
      resolution: { values: ['480p', '720p'], default: '480p' },
    },
    rates: [{ when: { resolution: '720p' }, rate: cents('18') }, { rate: cents('9.6') }],
    length: ofSound,
  }),
  editModel({
    key: 'bria-video-bg',
    title: 'Bria video background removal',
    kind: 'background-removal',
    endpoint: 'bria/video/background-removal/v3',
    params: { video_url: { required: true }, background_color: { default: 'Transparent' } },
    rates: [{ rate: cents('6') }],
    fixed: { output_container_and_codec: 'webm_vp9' },
    length: ofFilm,
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
    length: ofFilm,
  }),
  assemblyModel({
    key: 'ffmpeg-compose',
    title: 'Films, sounds and pictures on tracks',
    endpoint: 'fal-ai/ffmpeg-api/compose',
    params: { tracks: { required: true } },
  }),
  assemblyModel({
    key: 'ffmpeg-merge',
    title: 'Films one after the other',
    endpoint: 'fal-ai/ffmpeg-api/merge-videos',
    params: { video_urls: { required: true } },
  }),
]
