/**
 * Measures the caller's files at the vendor before a model processes them. Otherwise an hour of
 * video could pass for the single second that the caller claims.
 */
import { Type } from '../../lib/schema.ts'
import type { Measure } from '../../catalog/vocabulary/define.ts'
import { failed } from '../../catalog/vocabulary/outcome.ts'
import { field } from '../../catalog/answers/vendor-failure.ts'
import { post, type Reply } from '../../catalog/vocabulary/wire.ts'
import { withDefaults } from '../../catalog/prices/media-price.ts'
import { modelOf } from './models.ts'

const READER = '/fal-ai/ffmpeg-api/metadata'

export const measureFiles: Measure = {
  requests: (input) =>
    (modelOf(input).length?.of ?? []).map((name) => ({
      ...post(READER, { media_url: input[name], extract_frames: false }),
      retry: { times: 2, afterMs: 1_000 },
    })),
  reply: Type.Object({ media: Type.Object({ duration: Type.Number({ exclusiveMinimum: 0 }) }) }),
  measured(replies, input) {
    const model = modelOf(input)
    const withPresets = withDefaults(model, input)
    const seconds = Math.max(1, model.length?.seconds(replies.map(secondsIn), withPresets) ?? 0)
    const most = Number(withPresets['duration'])
    return seconds > most
      ? tooLong(seconds, most, model.params['duration']?.most)
      : { kind: 'measured', input: { ...input, duration: seconds } }
  },
}

function secondsIn({ body }: Reply): number {
  return Number(field(field(body, 'media'), 'duration'))
}

function tooLong(seconds: number, duration: number, most = 0): ReturnType<Measure['measured']> {
  const needed = Math.ceil(seconds)
  const message = `The video would have ${needed} seconds, but "duration" allows ${duration}. Nothing was charged.`
  const fix =
    needed > most
      ? `This model supports at most ${most} seconds: send shorter files.`
      : `Send "duration": ${needed}, or shorter files.`
  return { ...failed('invalid_params', message, { seconds }), param: 'duration', fix }
}
