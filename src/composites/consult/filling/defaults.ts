/** Usual values for required fields that callers rarely name: a model, a token limit, a media model. */
import type { Entry } from '../../../catalog/index.ts'
import type { Data } from '../../../catalog/vocabulary/outcome.ts'
import { withMeanings } from '../reading/foreign-words.ts'
import type { Filled } from './fill.ts'
import type { IntentReading } from '../reading/intent-reading.ts'

/** Fields that take the value of the action's published example. */
const FROM_EXAMPLE = new Set(['model', 'max_tokens'])

/**
 * `accepts` checks complete parameters, and `isLive` a media model. Of the usual models, the first live
 * one that accepts the parameters is chosen, or else the first one that accepts them.
 */
export function withDefaults(
  entry: Entry,
  filled: Filled,
  reading: IntentReading,
  accepts: (params: Data) => boolean,
  isLive: (model: string) => boolean,
): Filled {
  const example: Data = entry.action.example
  const missing = filled.missing.filter(({ name }) => FROM_EXAMPLE.has(name))
  if (missing.length === 0) return filled
  const usual =
    entry.service.id === 'media'
      ? mediaModel(
          mediaModels(withMeanings(reading.intent), filled.params),
          filled.params,
          accepts,
          isLive,
        )
      : Object.fromEntries(missing.map(({ name }) => [name, example[name]]))
  return {
    params: { ...filled.params, ...usual },
    missing: filled.missing.filter(({ name }) => usual[name] === undefined),
  }
}

function mediaModel(
  models: readonly string[],
  params: Data,
  accepts: (params: Data) => boolean,
  isLive: (model: string) => boolean,
): Data {
  const suitable = models.filter((one) => accepts({ ...params, model: one }))
  const model = suitable.find(isLive) ?? suitable[0] ?? models[0]
  return model === undefined ? {} : { model }
}

const NAMED_MODEL =
  /\b(nano-banana(?:-pro|-2)?|gpt-image-[\d.]*\d(?:-\w+)?|seedream-4\.5|ideogram-v3|flux-2(?:-pro)?|flux-schnell|qwen-image|z-image-turbo|veo-3\.1(?:-fast|-lite)?|seedance-2(?:-4k|-fast|-mini)?|kling-[\w.-]+|hailuo-[\w.-]+|wan-2\.7|grok-video|ltx-2(?:-distilled)?|sync-lipsync-2|veed-[\w-]+|fabric|bria-video-bg|ffmpeg-(?:compose|merge|assembly|captions|convert|thumbnail)|espeak-ng|eleven-turbo-2\.5|minimax-(?:speech-turbo|music)|chatterbox|kokoro)\b/i

const IMAGES = ['flux-schnell', 'nano-banana', 'nano-banana-2', 'nano-banana-pro', 'gpt-image-2']
const VIDEOS = [
  'ltx-2-distilled',
  'veo-3.1-lite',
  'seedance-2-mini',
  'hailuo-2.3-pro',
  'kling-3-std',
]

/** The models for the kind of result that the intent asks for, cheapest first. Empty if it names no kind. */
function mediaModels(intent: string, params: Data): readonly string[] {
  const named = NAMED_MODEL.exec(intent)?.[1]
  if (named !== undefined) return [named.toLowerCase()]
  if (/\bbackground\b/i.test(intent) && params['video_url'] !== undefined) return ['bria-video-bg']
  if (/\bthumbnail/i.test(intent) && params['video_url'] !== undefined) return ['ffmpeg-thumbnail']
  if (
    /\b(?:speech|spoken|aloud|voice|narrat|say|read)/i.test(intent) &&
    params['text'] !== undefined
  )
    return ['kokoro', 'eleven-turbo-2.5', 'espeak-ng']
  if (/\b(?:song|music|melody|jingle|tune|track|beat|soundtrack)s?\b/i.test(intent))
    return ['minimax-music']
  if (/\b(?:video|clip|film|movie|animat|cinematic|footage|drone shot)/i.test(intent)) return VIDEOS
  return /\b(?:picture|image|photo|draw|illustrat|logo|paint|portrait|poster|icon|wallpaper|sketch)/i.test(
    intent,
  )
    ? IMAGES
    : []
}

/** The media model that the parameters name. */
export function mediaModelOf({ action }: Entry, { model }: Data): string | undefined {
  return action.kind === 'job' && typeof model === 'string' ? model : undefined
}
