/** Models that make pictures: with the answer, at a price for each picture or megapixel. */
import { cents } from '../../../lib/money.ts'
import type { Data } from '../../outcome.ts'
import { field } from '../../vendor-failure.ts'
import type { Reply } from '../../wire.ts'
import type { MediaModel, Rate, Rule } from './model.ts'

/** How a model is told the size: form and resolution by name, one of the vendor's named sizes, fixed sizes, or pixels. */
type Sizing = 'ratio' | 'named' | 'fixed' | 'pixels'

type ImageModel = Pick<MediaModel, 'key' | 'title'> & {
  readonly endpoint: string
  /** Where pictures are changed; left out: the model only makes new ones. */
  readonly edit?: string
  readonly sizing: Sizing
  readonly resolutions?: readonly ('1K' | '2K' | '4K')[]
  readonly perMegapixel?: true
  readonly rates: readonly Rate[]
  readonly further?: Readonly<Record<string, Rule>>
}

const PIXELS: Readonly<Record<string, readonly [width: number, height: number]>> = { '1:1': [1024, 1024], '16:9': [1344, 768], '4:3': [1152, 864], '3:4': [864, 1152], '9:16': [768, 1344] }
const NAMED: Readonly<Record<string, string>> = { '1:1': 'square_hd', '16:9': 'landscape_16_9', '4:3': 'landscape_4_3', '3:4': 'portrait_4_3', '9:16': 'portrait_16_9' }
const FIXED: Readonly<Record<string, string>> = { '1:1': '1024x1024', '3:2': '1536x1024', '2:3': '1024x1536' }
const TIMES: Readonly<Record<string, number>> = { '1K': 1, '2K': 2, '4K': 4 }
const MOST_IMAGES = 4

function sizeOf(sizing: Sizing, { aspect_ratio: ratio, resolution }: Data): Data {
  const form = String(ratio)
  switch (sizing) {
    case 'ratio':
      return { ...(ratio === undefined ? {} : { aspect_ratio: form }), ...(resolution === undefined ? {} : { resolution }) }
    case 'named':
      return { image_size: NAMED[form] }
    case 'fixed':
      return { image_size: FIXED[form] }
    case 'pixels': {
      const [width = 1024, height = 1024] = PIXELS[form] ?? []
      const times = TIMES[String(resolution)] ?? 1
      return { image_size: { width: width * times, height: height * times } }
    }
  }
}

function megapixelsOf({ resolution }: Data): number {
  return (TIMES[String(resolution)] ?? 1) ** 2
}

function countOf({ num_images: count }: Data): number {
  return Number(count)
}

function imagesIn({ body }: Reply): number {
  const images = field(body, 'images')
  return Array.isArray(images) ? images.length : 0
}

function imageModel({ key, title, endpoint, edit, sizing, resolutions = [], perMegapixel, rates, further = {} }: ImageModel): MediaModel {
  const forms = sizing === 'fixed' ? Object.keys(FIXED) : Object.keys(PIXELS)
  const largest = megapixelsOf({ resolution: resolutions.at(-1) })
  const smallest = megapixelsOf({ resolution: resolutions[0] })
  const [standardSize] = resolutions
  return {
    key,
    title,
    kind: 'image',
    params: {
      prompt: { required: true },
      aspect_ratio: { values: forms, ...(sizing === 'ratio' ? {} : { standard: '1:1' }) },
      ...(standardSize === undefined ? {} : { resolution: { values: resolutions, standard: standardSize } }),
      num_images: { least: 1, most: MOST_IMAGES, standard: 1 },
      seed: {},
      ...(edit === undefined ? {} : { image_url: {}, image_urls: {} }),
      ...further,
    },
    unit: perMegapixel === undefined ? 'image' : 'megapixel',
    rates,
    units: (asked) => countOf(asked) * (perMegapixel === undefined ? 1 : megapixelsOf(asked)),
    span: perMegapixel === undefined ? [1, MOST_IMAGES] : [smallest, largest * MOST_IMAGES],
    delivered: (reply, asked) => imagesIn(reply) * (perMegapixel === undefined ? 1 : megapixelsOf(asked)),
    endpoint: ({ image_url, image_urls }) => (edit !== undefined && (image_url !== undefined || image_urls !== undefined) ? edit : endpoint),
    body: (asked) => {
      const { model: _, aspect_ratio, resolution, image_url: first, image_urls: others = [], ...rest } = asked
      const pictures = [...(first === undefined ? [] : [first]), ...(others as readonly string[])]
      return { ...rest, ...sizeOf(sizing, { aspect_ratio, resolution }), ...(pictures.length === 0 ? {} : { image_urls: pictures }), sync_mode: false }
    },
  }
}

const anyFormat = { output_format: { values: ['png', 'jpeg', 'webp'] } }
const twoFormats = { output_format: { values: ['png', 'jpeg'] } }
const quality = { quality: { values: ['low', 'medium', 'high'], standard: 'high' } }

export const images: readonly MediaModel[] = [
  imageModel({
    key: 'nano-banana-pro',
    title: 'Nano Banana Pro',
    endpoint: 'fal-ai/nano-banana-pro',
    edit: 'fal-ai/nano-banana-pro/edit',
    sizing: 'ratio',
    resolutions: ['1K', '2K', '4K'],
    rates: [{ when: { resolution: '4K' }, rate: cents('36') }, { rate: cents('18') }],
    further: anyFormat,
  }),
  imageModel({
    key: 'nano-banana-2',
    title: 'Nano Banana 2',
    endpoint: 'fal-ai/nano-banana-2',
    edit: 'fal-ai/nano-banana-2/edit',
    sizing: 'ratio',
    resolutions: ['1K', '2K', '4K'],
    rates: [{ when: { resolution: '4K' }, rate: cents('19.2') }, { when: { resolution: '2K' }, rate: cents('14.4') }, { rate: cents('9.6') }],
    further: anyFormat,
  }),
  imageModel({ key: 'nano-banana', title: 'Nano Banana', endpoint: 'fal-ai/nano-banana', edit: 'fal-ai/nano-banana/edit', sizing: 'ratio', rates: [{ rate: cents('4.78') }], further: anyFormat }),
  imageModel({
    key: 'gpt-image-2',
    title: 'GPT Image 2',
    endpoint: 'openai/gpt-image-2',
    edit: 'openai/gpt-image-2/edit',
    sizing: 'named',
    rates: [{ when: { quality: 'low' }, rate: cents('4') }, { when: { quality: 'medium' }, rate: cents('10') }, { rate: cents('40') }],
    further: { ...quality, ...anyFormat },
  }),
  imageModel({
    key: 'gpt-image-1.5',
    title: 'GPT Image 1.5',
    endpoint: 'fal-ai/gpt-image-1.5',
    edit: 'fal-ai/gpt-image-1.5/edit',
    sizing: 'fixed',
    rates: [{ when: { quality: 'low' }, rate: cents('4') }, { when: { quality: 'medium' }, rate: cents('8') }, { rate: cents('24') }],
    further: { ...quality, ...anyFormat },
  }),
  imageModel({ key: 'seedream-4.5', title: 'Seedream 4.5', endpoint: 'fal-ai/bytedance/seedream/v4.5/text-to-image', edit: 'fal-ai/bytedance/seedream/v4.5/edit', sizing: 'pixels', resolutions: ['2K', '4K'], rates: [{ rate: cents('4.8') }] }),
  imageModel({
    key: 'ideogram-v3',
    title: 'Ideogram 3',
    endpoint: 'fal-ai/ideogram/v3',
    sizing: 'named',
    rates: [{ when: { rendering_speed: 'TURBO' }, rate: cents('4') }, { when: { rendering_speed: 'BALANCED' }, rate: cents('7.2') }, { rate: cents('10.8') }],
    further: { rendering_speed: { values: ['TURBO', 'BALANCED', 'QUALITY'], standard: 'BALANCED' }, negative_prompt: {} },
  }),
  imageModel({ key: 'flux-2-pro', title: 'FLUX.2 pro', endpoint: 'fal-ai/flux-2-pro', edit: 'fal-ai/flux-2-pro/edit', sizing: 'pixels', resolutions: ['1K', '2K'], perMegapixel: true, rates: [{ rate: cents('4.05') }], further: { ...twoFormats, num_images: { values: [1], standard: 1 } } }),
  imageModel({ key: 'flux-2', title: 'FLUX.2', endpoint: 'fal-ai/flux-2', edit: 'fal-ai/flux-2/edit', sizing: 'pixels', resolutions: ['1K', '2K'], perMegapixel: true, rates: [{ rate: cents('1.62') }], further: anyFormat }),
  imageModel({ key: 'qwen-image', title: 'Qwen Image', endpoint: 'fal-ai/qwen-image', sizing: 'pixels', resolutions: ['1K', '2K'], perMegapixel: true, rates: [{ rate: cents('2.7') }], further: { ...twoFormats, negative_prompt: {} } }),
  imageModel({ key: 'z-image-turbo', title: 'Z-Image Turbo', endpoint: 'fal-ai/z-image/turbo', sizing: 'pixels', resolutions: ['1K', '2K'], perMegapixel: true, rates: [{ rate: cents('0.68') }], further: anyFormat }),
  imageModel({ key: 'flux-schnell', title: 'FLUX.1 schnell', endpoint: 'fal-ai/flux/schnell', sizing: 'pixels', resolutions: ['1K', '2K'], perMegapixel: true, rates: [{ rate: cents('0.63') }], further: twoFormats }),
]
