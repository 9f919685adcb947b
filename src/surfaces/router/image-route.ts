/** OpenAI's images: llmnative-b/image-generate, with the images as base64 unless links are requested. */
import { AppError } from '../../errors/app-error.ts'
import { ownerOf } from '../../keys/caller.ts'
import { fieldsOf, listedFields, type Fields } from '../../lib/json-fields.ts'
import { readFileBytes } from '../../resources/files/read-file.ts'
import {
  JSON_CONTENT,
  type ActionContent,
  type ActionDeps,
  type ActionRoute,
  type Answered,
} from './action-route.ts'

const LARGEST_IMAGE_BYTES = 32 * 1024 * 1024
const FORMATS: readonly unknown[] = [undefined, null, 'url', 'b64_json']

export const imageRoute: ActionRoute = {
  // OpenRouter's clients use the second address.
  paths: ['/images/generations', '/images'],
  service: 'llmnative-b',
  action: 'image-generate',
  // Each has up to ten images of some megabytes in memory.
  most: 100,
  bodyLimitBytes: 1024 * 1024,
  toParams: imageParams,
  toContent: imageContent,
}

function imageParams({ user: _user, response_format: format, stream, ...body }: Fields): Fields {
  if (!FORMATS.includes(format))
    throw new AppError('invalid_params', '"response_format" must be "b64_json" or "url".', {
      param: 'response_format',
    })
  if (stream === true)
    throw new AppError('invalid_params', 'Images are not streamed.', {
      param: 'stream',
      fix: 'Omit "stream".',
    })
  const { model, quality } = body
  return withoutNulls({
    ...body,
    ...(typeof model === 'string' ? { model: model.replace(/^openai\//, '') } : {}),
    // The model's own choice has no price in advance. The default of the action has one.
    ...(quality === 'auto' ? { quality: null } : {}),
  })
}

/** Clients send null for fields that their user did not set. */
export function withoutNulls(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))
}

async function imageContent(deps: ActionDeps, answered: Answered): Promise<ActionContent> {
  const { data, body } = answered
  const isLinked = body['response_format'] === 'url'
  const images = listedFields(data['data'])
  const shown = isLinked
    ? images
    : await Promise.all(images.map((image, place) => withBytes(deps, answered, image, place)))
  return { type: JSON_CONTENT, body: JSON.stringify({ ...data, data: shown }) }
}

/** An image that was not stored has its bytes already. If its file was deleted, the link remains. */
async function withBytes(
  { files }: ActionDeps,
  { data, caller }: Answered,
  image: Fields,
  place: number,
): Promise<Fields> {
  const { file_id: fileId } = fieldsOf(listedFields(data['kept_files'])[place])
  if (typeof fileId !== 'string' || 'b64_json' in image) return image
  try {
    const { bytes } = await readFileBytes(files, ownerOf(caller), fileId, LARGEST_IMAGE_BYTES)
    return { ...image, b64_json: bytes.toString('base64') }
  } catch {
    return image
  }
}
