/** Every parameter that some model takes. Which of them a model takes, and with which values, is said by its row. */
import { Type } from 'typebox'
import { params } from '../../catalog/vocabulary/define.ts'
import { choice, flag, list, optional, text, whole } from '../../catalog/vocabulary/fields.ts'
import { MAX_IMAGE_URLS } from '../../catalog/prices/media-price.ts'
import { MEDIA_KINDS, type MediaKind } from '../../catalog/vocabulary/media-model.ts'
import { mediaModels } from './models.ts'

const address = (description: string) => text(description, 4_096)

const keyframe = Type.Object(
  {
    url: address('Address of the film, sound or picture.'),
    timestamp: whole('When it begins, in milliseconds.', 0, 3_600_000),
    duration: whole('How long it stays, in milliseconds.', 1, 3_600_000),
  },
  { additionalProperties: false },
)
const track = Type.Object(
  {
    id: text('Name of the track.', 100),
    type: choice('What is on the track.', ['video', 'audio', 'image']),
    keyframes: list('What plays when.', keyframe, 100),
  },
  { additionalProperties: false },
)

const KINDS: Readonly<Record<MediaKind, string>> = {
  image: 'Pictures',
  speech: 'Speech',
  music: 'Music',
  video: 'Films',
  lipsync: 'Lipsync',
  'background-removal': 'Films without background',
  assembly: 'Films put together',
}

/** For those who read the parameters alone, as tools of a model do. */
function keysByKind(): string {
  return MEDIA_KINDS.map(
    (kind) =>
      `${KINDS[kind]}: ${mediaModels
        .filter((model) => model.kind === kind)
        .map(({ key }) => key)
        .join(', ')}.`,
  ).join(' ')
}

/** Every model needs one of these; which one, and what besides, is said by its row. */
const NEEDED = {
  anyOf: [
    ['prompt'],
    ['text'],
    ['video_url'],
    ['image_url', 'audio_url'],
    ['video_urls'],
    ['tracks'],
  ].map((required) => ({ required })),
}

export const generateInput = params(
  {
    model: text(
      `Key of the model. ${keysByKind()} GET /api/catalog tells what each takes and costs.`,
      100,
    ),
    prompt: optional(text('What to make, in words.', 20_000)),
    negative_prompt: optional(text('What to keep out.', 5_000)),
    text: optional(text('What to say. Speech is charged by its characters.', 10_000)),
    image_url: optional(
      address('A picture to start from: of a video the first frame, of a picture what to change.'),
    ),
    image_urls: optional(
      list('Several pictures to work with.', address('Address of a picture.'), MAX_IMAGE_URLS),
    ),
    end_image_url: optional(address('A picture of the last frame.')),
    video_url: optional(address('The film to work on.')),
    video_urls: optional(
      list('Films to put one after the other.', address('Address of a film.'), 20),
    ),
    audio_url: optional(
      address('The sound: what is to be spoken, or of speech a sample of the voice.'),
    ),
    aspect_ratio: optional(
      choice(
        'Form of the picture or film; left out, a picture that is changed keeps its own. Exact pixel sizes are not accepted.',
        ['1:1', '16:9', '9:16', '4:3', '3:4', '3:2', '2:3', '21:9'],
      ),
    ),
    resolution: optional(
      choice('Size: 1K, 2K, 4K of pictures; lines, such as 720p, of films.', [
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
        'Seconds. Where the length follows from your own files, the most seconds that may be charged: they are measured before the work begins, and what is longer ends there, uncharged.',
        1,
        600,
      ),
    ),
    num_images: optional(whole('How many pictures.', 1, 4)),
    seed: optional(whole('The same seed gives much the same result.', 0, 2_147_483_647)),
    output_format: optional(choice('Form of the file.', ['png', 'jpeg', 'webp'])),
    quality: optional(choice('How much care the model takes.', ['low', 'medium', 'high'])),
    rendering_speed: optional(choice('Fast, or careful.', ['TURBO', 'BALANCED', 'QUALITY'])),
    generate_audio: optional(flag('Whether the film has sound.')),
    voice: optional(text('Name of the voice, as the model’s maker calls it.', 100)),
    speed: optional(
      Type.Number({
        minimum: 0.5,
        maximum: 2,
        description: 'How fast the voice speaks; 1 is its own pace.',
      }),
    ),
    language: optional(text('Language of the text, such as "en".', 20)),
    lyrics: optional(text('What is sung.', 3_000)),
    instrumental: optional(flag('Music without singing.')),
    sync_mode: optional(
      choice('What happens when film and sound are not equally long.', [
        'cut_off',
        'loop',
        'bounce',
        'silence',
        'remap',
      ]),
    ),
    background_color: optional(
      choice('What comes in place of the background.', [
        'Transparent',
        'Black',
        'White',
        'Gray',
        'Red',
        'Green',
        'Blue',
      ]),
    ),
    tracks: optional(list('What the film is put together from.', track, 20)),
  },
  NEEDED,
)
