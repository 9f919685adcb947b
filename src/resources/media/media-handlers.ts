/** The in-house lane of `media`. It answers like fal.ai. */
import type { InHouseHandler } from '../../catalog/vocabulary/handlers.ts'
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import { AppError } from '../../errors/app-error.ts'
import type { Owner } from '../../lib/owner.ts'
import { withDefaults } from '../../catalog/prices/media-price.ts'
import { createUpload } from '../files/create-upload.ts'
import { freshExpiryMs } from '../files/file-row.ts'
import { mediaTypeOf } from '../files/filename.ts'
import { FILM_MAKERS, THUMBNAIL } from './make-films.ts'
import { makeSpeech } from './make-speech.ts'
import type { MediaDeps, MediaPrograms } from './media-deps.ts'
import { render, type MadeFacts } from './render.ts'

const UPLOAD = 'media.upload'
const FFMPEG = 'media.ffmpeg'
const SPEECH = 'media.espeak-ng'

/** Names of handlers that exist only on a gateway with in-house media. */
export const MEDIA_HANDLERS = [UPLOAD, FFMPEG, SPEECH] as const

/** The handlers whose programs are not installed. */
export function handlersWithout({ ffmpeg, ffprobe, espeak }: MediaPrograms): ReadonlySet<string> {
  return new Set([
    ...(ffmpeg === null || ffprobe === null ? [FFMPEG] : []),
    ...(espeak === null ? [SPEECH] : []),
  ])
}

export function mediaHandlers(deps: MediaDeps): ReadonlyMap<string, InHouseHandler> {
  return new Map<string, InHouseHandler>([
    [UPLOAD, async (input, owner) => openUpload(deps, owner, input as UploadInput)],
    [
      FFMPEG,
      async (sent, tools) => {
        const input = completed(deps, sent)
        const maker = FILM_MAKERS[String(input['model'])]
        if (maker === undefined) throw new AppError('upstream_not_configured')
        const length = input['model'] === THUMBNAIL ? 'short' : 'long'
        return answerOf(
          await render(deps, length, input, tools, (one) => maker(one, deps.programs.ffmpeg)),
        )
      },
    ],
    [
      SPEECH,
      async (sent, tools) => {
        const input = completed(deps, sent)
        const audio = await render(deps, 'short', input, tools, (one) =>
          makeSpeech(one, deps.programs),
        )
        return { audio }
      },
    ],
  ])
}

/** The input with the defaults of its model. */
function completed({ models }: MediaDeps, input: Data): Data {
  return withDefaults(models.find(String(input['model'])), input)
}

function answerOf(file: MadeFacts): Data {
  const mime = file.content_type
  if (mime.startsWith('video/')) return { video: file }
  return mime.startsWith('audio/') ? { audio: file } : { images: [file] }
}

type UploadInput = { readonly file_name: string; readonly content_type: string }

/** An upload of any size up to the limit of a file. Its URL is valid for others for an hour. */
async function openUpload(
  { files }: Pick<MediaDeps, 'files'>,
  owner: Owner,
  { file_name: filename, content_type: type }: UploadInput,
): Promise<Data> {
  const { id, mode } = await createUpload(files, owner, {
    filename,
    sizeBytes: 0,
    source: 'media/upload',
    mime: mediaTypeOf(type),
  })
  const link = { id, sizeBytes: null, mode, expiresMs: freshExpiryMs(files.now()) }
  return {
    upload_url: files.links.urlFor('put', link),
    file_url: files.links.urlFor('get', link),
  }
}
