import { Type } from '../../lib/schema.ts'
import { cents } from '../../lib/money.ts'
import { call, defineService, job, local, params } from '../../catalog/vocabulary/define.ts'
import { exactlyOne, optional, text, whole } from '../../catalog/vocabulary/fields.ts'
import { done, type Data } from '../../catalog/vocabulary/outcome.ts'
import { post } from '../../catalog/vocabulary/wire.ts'
import { chargedPerUnit, computed, flat, free } from '../../catalog/vocabulary/tariff.ts'
import { worstCase } from '../../catalog/prices/price.ts'
import { generated, generateOutcome, generateRequest, KEPT, launch, poll } from './generate.ts'
import { measureFiles } from './measure-files.ts'
import {
  isSync,
  priceOfModel,
  cheapestResult,
  priceRangeOf,
} from '../../catalog/prices/media-price.ts'
import { checkModelInput, knownModel, mediaModels, modelOf, ownHandlerOf } from './models.ts'
import { MEDIA_PART, ownExamples } from './own-models.ts'
import { generateInput } from './params.ts'
import { fal } from './vendor.ts'
import { returns } from './returns.ts'

const { most } = priceRangeOf(mediaModels)
const least = cheapestResult(mediaModels)

export const service = defineService({
  id: 'media',
  title: 'Images, videos, speech and music',
  category: 'media',
  vendor: fal,
  models: { all: mediaModels, find: knownModel, params: generateInput.properties },
  returns,
  actions: {
    generate: job({
      title: 'Generate images, video, speech and music',
      summary: 'Generate an image, a video, speech or music with one of many models.',
      description:
        "GET /api/catalog lists the models with their parameters and prices, and which are live on this gateway. Images, speech and music are in the answer. Video, lipsync, background removal, assembly and conversion return `{job_id, async: true}`: poll media/result (free); they are charged only if they succeed. The gateway stores the files, so that links outlive the vendor's: `kept_files` names them, and files/get creates a new link. To read the answer again, call media/result with its `transaction_id` (free). Repeating the request starts a new paid render.",
      keywords: [
        'text to image',
        'image generation',
        'edit picture',
        'illustration',
        'text to video',
        'image to video',
        'animate picture',
        'lipsync',
        'talking avatar',
        'remove video background',
        'merge videos',
        'text to speech',
        'tts',
        'voice over',
        'spoken audio',
        'read text aloud',
        'narration',
        'talking voice',
        'short video from a prompt',
        'make a film clip',
        'make an image',
        'song',
        'music generation',
        'draw',
        'convert video',
        'burn in subtitles',
        'captions',
        'thumbnail',
        'video frame',
        'trim video',
        'extract audio',
        'gif',
      ],
      input: generateInput,
      example: {
        model: 'flux-schnell',
        prompt: 'A paper boat on a calm lake, watercolour.',
        aspect_ratio: '16:9',
      },
      price: computed(
        (input: Data) => worstCase({ price: priceOfModel(modelOf(input), input) }, input),
        least,
        most,
      ),
      exceptionalPrice: (input) => priceOfModel(modelOf(input), input),
      priceSource:
        "List price of this gateway, 2026-11: the vendor's price of the model plus a fifth to a third.",
      billing: chargedPerUnit,
      timeoutMs: 300_000,
      check: checkModelInput,
      directly: {
        when: ({ model }) => isSync(knownModel(model)),
        request: generateRequest,
        reply: generated,
        outcome: generateOutcome,
      },
      measure: measureFiles,
      inHouse: { part: MEDIA_PART, examples: ownExamples, handlerFor: ownHandlerOf },
      launch,
      poll,
      reply: generated,
      outcome: generateOutcome,
      fileFields: KEPT,
      isReplayable: true,
    }),
    upload: call({
      title: 'Upload a file for a model',
      summary: 'Get an upload link for a file that a model will process.',
      description:
        'PUT the raw bytes to `upload_url` with the same Content-Type, then pass `file_url` to media/generate as image_url, video_url or audio_url. Anyone with the URL can read the file while it is valid. A vendor stores the file for a limited time; without one, it is a file of the account (files/list), and the URL is valid for an hour for others.',
      keywords: ['upload image', 'upload video', 'upload audio', 'input file', 'upload slot'],
      input: params({
        file_name: text('Name of the file, without a path.', 255, {
          pattern: String.raw`^[^/\\\p{Cc}]*$`,
        }),
        content_type: text('Media type, such as "image/png".', 127, {
          pattern: String.raw`^[A-Za-z0-9][\w.+-]*/[\w.+-]+$`,
        }),
      }),
      example: { file_name: 'boat.png', content_type: 'image/png' },
      price: flat(cents('1')),
      priceSource: 'Specification, 2026-11.',
      timeoutMs: 30_000,
      inHouse: 'media.upload',
      inHousePart: MEDIA_PART,
      request: ({ file_name, content_type }) => ({
        ...post('/storage/upload/initiate', { file_name, content_type }),
        query: { storage_type: 'fal-cdn-v3' },
        origin: 'storage',
      }),
      reply: Type.Object({
        upload_url: Type.String({ minLength: 1 }),
        file_url: Type.String({ minLength: 1 }),
      }),
      outcome: ({ body: { upload_url, file_url } }) => done({ upload_url, file_url }),
    }),
    result: local({
      title: 'Media result',
      summary: 'Read a result of media/generate again, free of charge.',
      description:
        'With a `job_id` it returns the status of the job, and its `result` once it has succeeded. With the `transaction_id` of an answer it returns that answer. Answers are stored for 30 days. If a link has expired, files/get creates a new one for the file in `kept_files`.',
      keywords: ['poll', 'replay output', 'generation status'],
      input: params(
        {
          job_id: optional(text('The job_id that media/generate returned.', 64)),
          transaction_id: optional(text('The transaction_id that media/generate returned.', 64)),
          wait_s: whole('Seconds to wait for the end of a job before answering.', 0, 60, {
            default: 0,
          }),
        },
        exactlyOne('job_id', 'transaction_id'),
      ),
      example: { transaction_id: 'tx_0192f0c4a1b27c3d8e4f5a6b7c8d9e0f' },
      exampleNeeds: ['transaction_id'],
      price: free,
      timeoutMs: 70_000,
      handler: 'media.result',
    }),
  },
})
