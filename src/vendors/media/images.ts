/** Models that generate images within the call, priced per image or megapixel. */
import { cents } from '../../lib/money.ts'
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import { asText, field } from '../../catalog/answers/vendor-failure.ts'
import type { Reply } from '../../catalog/vocabulary/wire.ts'
import { FORMS, megapixelsOf, pixelsOf, sizeOf, type Sized } from './image-size.ts'
import { inputImages } from '../../catalog/prices/media-price.ts'
import type { MediaModel, Rate, Rule } from '../../catalog/vocabulary/media-model.ts'

type ImageModel = Pick<MediaModel, 'key' | 'title'> &
  Sized & {
    readonly endpoint: string
    readonly resolutions?: readonly ('1K' | '2K' | '4K')[]
    readonly perMegapixel?: true
    /** The model does not support a seed. */
    readonly seedless?: true
    readonly rates: readonly Rate[]
    readonly further?: Readonly<Record<string, Rule>>
  }

const MAX_IMAGES = 4
/** For an image whose size the model decides. */
const MAX_MEGAPIXELS = 4
const INPUT_IMAGES = ['image_url', 'image_urls']

function countOf({ num_images: count }: Data): number {
  return Number(count)
}

/** The images in the reply that have a URL. */
function imagesIn({ body }: Reply): readonly unknown[] {
  const images = field(body, 'images')
  return Array.isArray(images)
    ? images.filter(
        (image) => typeof field(image, 'url') === 'string' && field(image, 'url') !== '',
      )
    : []
}

function megapixelsIn(image: unknown): number {
  const size = {
    width: Number(asText(field(image, 'width'))),
    height: Number(asText(field(image, 'height'))),
  }
  return size.width > 0 && size.height > 0 ? megapixelsOf(size) : MAX_MEGAPIXELS
}

function deliveredMegapixels(reply: Reply): number {
  return imagesIn(reply).reduce<number>((sum, image) => sum + megapixelsIn(image), 0)
}

function imageModel(row: ImageModel): MediaModel {
  const {
    key,
    title,
    endpoint,
    edit,
    sizing,
    longestSide,
    resolutions = [],
    perMegapixel,
    seedless,
    rates,
    further = {},
  } = row
  const [defaultSize] = resolutions
  /** The units of one image. */
  const each = (input: Data): number => {
    if (perMegapixel === undefined) return 1
    return input['aspect_ratio'] === undefined
      ? MAX_MEGAPIXELS
      : megapixelsOf(pixelsOf(input, longestSide))
  }
  return {
    key,
    title,
    kind: 'image',
    params: {
      prompt: { required: true },
      aspect_ratio: {
        values: FORMS,
        ...(sizing === 'ratio'
          ? {}
          : {
              default: '1:1',
              ...(edit === undefined ? {} : { defaultWithout: INPUT_IMAGES }),
            }),
      },
      ...(defaultSize === undefined
        ? {}
        : {
            resolution: {
              values: resolutions,
              default: defaultSize,
              ...(perMegapixel === undefined ? {} : { with: 'aspect_ratio' }),
            },
          }),
      num_images: { least: 1, most: MAX_IMAGES, default: 1 },
      ...(seedless === undefined ? { seed: {} } : {}),
      ...(edit === undefined ? {} : { image_url: {}, image_urls: {} }),
      ...further,
    },
    unit: perMegapixel === undefined ? 'image' : 'megapixel',
    rates,
    units: (input) => countOf(input) * each(input),
    span: perMegapixel === undefined ? [1, MAX_IMAGES] : [1, MAX_MEGAPIXELS * MAX_IMAGES],
    delivered: (reply, input) =>
      perMegapixel !== undefined && input['aspect_ratio'] === undefined
        ? deliveredMegapixels(reply)
        : imagesIn(reply).length * each(input),
    endpoint: (input) =>
      edit !== undefined && inputImages(input).length > 0 ? edit.endpoint : endpoint,
    body: (input) => {
      const {
        model: _,
        aspect_ratio: _form,
        resolution: _size,
        image_url: _first,
        image_urls: _others,
        ...rest
      } = input
      const images = inputImages(input)
      return {
        ...rest,
        ...sizeOf(row, input),
        ...(images.length === 0 ? {} : { image_urls: images }),
        sync_mode: false,
      }
    },
  }
}

const anyFormat = { output_format: { values: ['png', 'jpeg', 'webp'] } }
const twoFormats = { output_format: { values: ['png', 'jpeg'] } }
const quality = { quality: { values: ['low', 'medium', 'high'], default: 'high' } }

export const images: readonly MediaModel[] = [
  imageModel({
    key: 'nano-banana-pro',
    title: 'Nano Banana Pro',
    endpoint: 'fal-ai/nano-banana-pro',
    edit: { endpoint: 'fal-ai/nano-banana-pro/edit' },
    sizing: 'ratio',
    resolutions: ['1K', '2K', '4K'],
    rates: [{ when: { resolution: '4K' }, rate: cents('36') }, { rate: cents('18') }],
    further: anyFormat,
  }),
  imageModel({
    key: 'nano-banana-2',
    title: 'Nano Banana 2',
    endpoint: 'fal-ai/nano-banana-2',
    edit: { endpoint: 'fal-ai/nano-banana-2/edit' },
    sizing: 'ratio',
    resolutions: ['1K', '2K', '4K'],
    rates: [
      { when: { resolution: '4K' }, rate: cents('19.2') },
      { when: { resolution: '2K' }, rate: cents('14.4') },
      { rate: cents('9.6') },
    ],
    further: anyFormat,
  }),
  imageModel({
    key: 'nano-banana',
    title: 'Nano Banana',
    endpoint: 'fal-ai/nano-banana',
    edit: { endpoint: 'fal-ai/nano-banana/edit' },
    sizing: 'ratio',
    rates: [{ rate: cents('4.78') }],
    further: anyFormat,
  }),
  imageModel({
    key: 'gpt-image-2',
    title: 'GPT Image 2',
    endpoint: 'openai/gpt-image-2',
    edit: { endpoint: 'openai/gpt-image-2/edit', size: () => 'auto' },
    seedless: true,
    // The named 16:9 sizes are below the model's minimum.
    sizing: 'pixels',
    rates: [
      { when: { quality: 'low' }, rate: cents('4'), perInputImage: cents('2') },
      { when: { quality: 'medium' }, rate: cents('10'), perInputImage: cents('2') },
      { rate: cents('40') },
    ],
    further: { ...quality, ...anyFormat },
  }),
  imageModel({
    key: 'seedream-4.5',
    title: 'Seedream 4.5',
    endpoint: 'fal-ai/bytedance/seedream/v4.5/text-to-image',
    edit: {
      endpoint: 'fal-ai/bytedance/seedream/v4.5/edit',
      size: (resolution) => `auto_${String(resolution)}`,
    },
    sizing: 'pixels',
    resolutions: ['2K', '4K'],
    rates: [{ rate: cents('4.8') }],
  }),
  imageModel({
    key: 'ideogram-v3',
    title: 'Ideogram 3',
    endpoint: 'fal-ai/ideogram/v3',
    sizing: 'named',
    rates: [
      { when: { rendering_speed: 'TURBO' }, rate: cents('4') },
      { when: { rendering_speed: 'BALANCED' }, rate: cents('7.2') },
      { rate: cents('10.8') },
    ],
    further: {
      rendering_speed: { values: ['TURBO', 'BALANCED', 'QUALITY'], default: 'BALANCED' },
      negative_prompt: {},
    },
  }),
  imageModel({
    key: 'flux-2-pro',
    title: 'FLUX.2 pro',
    endpoint: 'fal-ai/flux-2-pro',
    edit: { endpoint: 'fal-ai/flux-2-pro/edit', size: () => 'auto' },
    sizing: 'pixels',
    longestSide: 2_560,
    resolutions: ['1K', '2K'],
    perMegapixel: true,
    rates: [{ rate: cents('4.05'), perInputImage: cents('4.05') }],
    further: { ...twoFormats, num_images: { values: [1], default: 1 } },
  }),
  imageModel({
    key: 'flux-2',
    title: 'FLUX.2',
    endpoint: 'fal-ai/flux-2',
    edit: { endpoint: 'fal-ai/flux-2/edit' },
    sizing: 'pixels',
    longestSide: 2_048,
    resolutions: ['1K', '2K'],
    perMegapixel: true,
    rates: [{ rate: cents('1.62'), perInputImage: cents('1.62') }],
    further: anyFormat,
  }),
  imageModel({
    key: 'qwen-image',
    title: 'Qwen Image',
    endpoint: 'fal-ai/qwen-image',
    sizing: 'pixels',
    resolutions: ['1K', '2K'],
    perMegapixel: true,
    rates: [{ rate: cents('2.7') }],
    further: { ...twoFormats, negative_prompt: {} },
  }),
  imageModel({
    key: 'z-image-turbo',
    title: 'Z-Image Turbo',
    endpoint: 'fal-ai/z-image/turbo',
    sizing: 'pixels',
    resolutions: ['1K', '2K'],
    perMegapixel: true,
    rates: [{ rate: cents('0.68') }],
    further: anyFormat,
  }),
  imageModel({
    key: 'flux-schnell',
    title: 'FLUX.1 schnell',
    endpoint: 'fal-ai/flux/schnell',
    sizing: 'pixels',
    resolutions: ['1K', '2K'],
    perMegapixel: true,
    rates: [{ rate: cents('0.63') }],
    further: twoFormats,
  }),
]
