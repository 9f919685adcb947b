/** OpenAI's speech: the speech models of media/generate, with the sound as the body. */
import { AppError } from '../../errors/app-error.ts'
import { ownerOf } from '../../keys/caller.ts'
import { fieldsOf, listedFields, type Fields } from '../../lib/json-fields.ts'
import { unknownModel } from '../../llm/lists/model-errors.ts'
import { openFile } from '../../resources/files/read-file.ts'
import type { Calls } from '../../calls/call.ts'
import {
  JSON_CONTENT,
  type ActionContent,
  type ActionDeps,
  type ActionRoute,
  type Answered,
} from './action-route.ts'
import { withoutNulls } from './image-route.ts'

const SERVICE = 'media'
const ACTION = 'generate'
/** Formats of the models. The model decides, and Content-Type names it. */
const FORMATS: readonly unknown[] = [undefined, null, 'mp3', 'wav']
/** Clients must name a voice, and their default is one of these. The models have other voices. */
const OPENAI_VOICES: ReadonlySet<unknown> = new Set(
  'alloy ash ballad cedar coral echo fable marin nova onyx sage shimmer verse'.split(' '),
)

export const speechRoute: ActionRoute = {
  paths: ['/audio/speech'],
  service: SERVICE,
  action: ACTION,
  most: 1_000,
  bodyLimitBytes: 1024 * 1024,
  toParams: speechParams,
  toContent: speechContent,
}

function speechParams(body: Fields, calls: Calls): Fields {
  const {
    input,
    voice,
    speed,
    instructions,
    model: name,
    response_format: format,
    stream_format: streaming,
    ...rest
  } = withoutNulls(body)
  const model = speechModel(name, calls)
  if (typeof input !== 'string' || input === '') throw invalid('input', '"input" must be a text.')
  const most = model.params['text']?.most ?? Number.POSITIVE_INFINITY
  if (Array.from(input).length > most)
    throw invalid('input', `"input" may have at most ${most} characters for this model.`)
  if (!FORMATS.includes(format))
    throw invalid(
      'response_format',
      'The models return mp3 or wav.',
      'Omit "response_format". Content-Type names the format of the response.',
    )
  if (instructions !== undefined && instructions !== '')
    throw invalid('instructions', 'No model follows instructions.', 'Omit "instructions".')
  if (streaming !== undefined && streaming !== 'audio')
    throw invalid('stream_format', 'The sound is not streamed as events.', 'Omit "stream_format".')
  const ownVoice = fieldsOf(voice)['id'] ?? voice
  return {
    ...rest,
    model: model.key,
    text: input,
    ...(ownVoice === undefined || OPENAI_VOICES.has(ownVoice) ? {} : { voice: ownVoice }),
    ...(speed === undefined || speed === 1 ? {} : { speed }),
  }
}

/** Throws AppError model_not_found with the names of the speech models. */
function speechModel(name: unknown, { catalog }: Calls) {
  const models = catalog
    .findAction(SERVICE, ACTION)
    .service.models?.all.filter(({ kind }) => kind === 'speech')
  const found = models?.find(({ key }) => key === name)
  if (found !== undefined) return found
  const keys = models?.map(({ key }) => key) ?? []
  const { message } = unknownModel(typeof name === 'string' ? name : '', keys)
  const fix = `The speech models are ${keys.join(', ')}.`
  throw new AppError('model_not_found', `${message} ${fix}`, { param: 'model', fix })
}

function invalid(param: string, message: string, fix = 'Correct the field.'): AppError {
  return new AppError('invalid_params', message, { param, fix })
}

/** The stored file; if it was not stored or was deleted, the place where the vendor put it. */
async function speechContent({ files }: ActionDeps, answered: Answered): Promise<ActionContent> {
  const { data, caller } = answered
  const { url } = fieldsOf(data['audio'])
  const kept = listedFields(data['kept_files']).find(({ file_id: id }) => typeof id === 'string')
  if (kept !== undefined)
    try {
      const file = await openFile(files, ownerOf(caller), String(kept['file_id']))
      return { type: file.mime, body: file.stream }
    } catch {
      // The link below explains what happened to the file.
    }
  const inline = /^data:([\w./+-]+);base64,(.*)$/s.exec(String(url))
  if (inline !== null)
    return { type: inline[1] ?? 'audio/mpeg', body: Buffer.from(inline[2] ?? '', 'base64') }
  return typeof url === 'string'
    ? { location: url }
    : { type: JSON_CONTENT, body: JSON.stringify(data) }
}
