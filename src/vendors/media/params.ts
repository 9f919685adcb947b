/**
 * Every parameter of any model. A model's row states which of them it supports, and with which
 * values.
 */
import { Type } from '../../lib/schema.ts'
import { params } from '../../catalog/vocabulary/define.ts'
import { choice, flag, list, optional, text, whole } from '../../catalog/vocabulary/fields.ts'
import { MAX_IMAGE_URLS } from '../../catalog/prices/media-price.ts'
import { MEDIA_KINDS, type MediaKind } from '../../catalog/vocabulary/media-model.ts'
import { mediaModels } from './models.ts'

const address = (description: string) => text(description, 4_096)

const keyframe = Type.Object(
  {
    url: address('URL of the video, audio or image.'),
    timestamp: whole('Start in milliseconds.', 0, 3_600_000),
    duration: whole('Duration in milliseconds.', 1, 3_600_000),
  },
  { additionalProperties: false },
)
const track = Type.Object(
  {
    id: text('Name of the track.', 100),
    type: choice('Content type of the track.', ['video', 'audio', 'image']),
    keyframes: list('Items on the track, in time.', keyframe, 100),
  },
  { additionalProperties: false },
)

const caption = Type.Object(
  {
    text: text('The words to show.', 500),
    timestamp: whole('Start in milliseconds.', 0, 3_600_000),
    duration: whole('Duration in milliseconds.', 1, 3_600_000),
  },
  { additionalProperties: false },
)

const KINDS: Readonly<Record<MediaKind, string>> = {
  image: 'Images',
  speech: 'Speech',
  music: 'Music',
  video: 'Videos',
  lipsync: 'Lipsync',
  'background-removal': 'Background removal',
  assembly: 'Assembly',
  conversion: 'Conversion',
}

/** For readers that see only the parameters, such as language models. */
function keysByKind(): string {
  return MEDIA_KINDS.map(
    (kind) =>
      `${KINDS[kind]}: ${mediaModels
        .filter((model) => model.kind === kind)
        .map(({ key }) => key)
        .join(', ')}.`,
  ).join(' ')
}

/**
 * Every model requires one of these. The model's row states which one, and its other parameters.
 */
const NEEDED = {
  anyOf: [
    ['prompt'],
    ['text'],
    ['video_url'],
    ['image_url', 'audio_url'],
    ['video_urls'],
    ['tracks'],
    ['file_url'],
  ].map((required) => ({ required })),
}

export const generateInput = params(
  {
    model: text(
      `Key of the model. ${keysByKind()} GET /api/catalog lists the parameters and the price of each.`,
      100,
    ),
    prompt: optional(text('Description of the result.', 20_000)),
    negative_prompt: optional(text('Content to avoid.', 5_000)),
    text: optional(text('The text to speak. Speech is charged by characters.', 10_000)),
    image_url: optional(
      address('An image to start from: the first frame of a video, or the image to edit.'),
    ),
    image_urls: optional(
      list('Several input images.', address('URL of an image.'), MAX_IMAGE_URLS),
    ),
    end_image_url: optional(address('An image for the last frame.')),
    video_url: optional(address('The video to process.')),
    video_urls: optional(list('Videos to join, in this order.', address('URL of a video.'), 20)),
    audio_url: optional(
      address(
        'The audio: speech for the lips, a sample of the voice for speech, or sound to mix into an assembled video.',
      ),
    ),
    aspect_ratio: optional(
      choice(
        'Aspect ratio of the image or video. If omitted, an edited image preserves its own. Exact pixel sizes are not supported.',
        ['1:1', '16:9', '9:16', '4:3', '3:4', '3:2', '2:3', '21:9'],
      ),
    ),
    resolution: optional(
      choice('Resolution: 1K, 2K or 4K for images; lines such as 720p for videos.', [
        '1K',
        '2K',
        '4K',
        '480p',
        '720p',
        '1080p',
        '4k',
      ]),
    ),
    duration: optional(
      whole(
        'Duration in seconds. For a model that processes your files, the most seconds that may be charged: the files are measured first, and longer ones are rejected without a charge.',
        1,
        600,
      ),
    ),
    num_images: optional(whole('Number of images.', 1, 4)),
    seed: optional(whole('The same seed returns similar results.', 0, 2_147_483_647)),
    file_url: optional(address('The video, audio or image to convert.')),
    captions: optional(list('Captions to show in the video.', caption, 500)),
    captions_url: optional(address('A SubRip or WebVTT file with the captions.')),
    start_s: optional(
      Type.Number({ minimum: 0, maximum: 36_000, description: 'Seconds to skip at the start.' }),
    ),
    output_format: optional(
      choice('Format of the file.', ['png', 'jpeg', 'webp', 'gif', 'mp4', 'webm', 'mp3', 'wav']),
    ),
    quality: optional(choice('Quality of the result.', ['low', 'medium', 'high'])),
    rendering_speed: optional(
      choice('Speed of rendering; slower is better.', ['TURBO', 'BALANCED', 'QUALITY']),
    ),
    generate_audio: optional(flag('Whether the video has audio.')),
    voice: optional(text("Name of the voice at the model's provider.", 100)),
    speed: optional(
      Type.Number({
        minimum: 0.5,
        maximum: 2,
        description: 'Speed of the voice; 1 is normal.',
      }),
    ),
    language: optional(text('Language of the text, such as "en".', 20)),
    lyrics: optional(text('The lyrics to sing.', 3_000)),
    instrumental: optional(flag('Music without vocals.')),
    sync_mode: optional(
      choice('What to do if video and audio have different lengths.', [
        'cut_off',
        'loop',
        'bounce',
        'silence',
        'remap',
      ]),
    ),
    background_color: optional(
      choice('The replacement for the background.', [
        'Transparent',
        'Black',
        'White',
        'Gray',
        'Red',
        'Green',
        'Blue',
      ]),
    ),
    tracks: optional(list('The tracks of the video.', track, 20)),
  },
  NEEDED,
)
