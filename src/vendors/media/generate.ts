/** The requests of `media/generate` and the interpretation of its answers. */
import { Type } from '../../lib/schema.ts'
import { findOutputs, type FileField } from '../../catalog/vocabulary/file-field.ts'
import { failed, type Data, type Outcome } from '../../catalog/vocabulary/outcome.ts'
import { get, post, type Reply, type WireRequest } from '../../catalog/vocabulary/wire.ts'
import type { Progress } from '../../catalog/vocabulary/define.ts'
import { textField } from '../../catalog/answers/vendor-failure.ts'
import { withDefaults } from '../../catalog/prices/media-price.ts'
import { modelOf } from './models.ts'

/** The places of files in the models' answers. */
const OUTPUTS: readonly FileField[] = [
  { field: 'images[].url', filename: 'picture', mime: 'image/png' },
  { field: 'audio.url', filename: 'sound', mime: 'audio/mpeg' },
  { field: 'video.url', filename: 'film', mime: 'video/mp4' },
  { field: 'video[].url', filename: 'film', mime: 'video/webm' },
  { field: 'video_url', filename: 'film', mime: 'video/mp4' },
]

/** Additional files in the answers. */
const FURTHER: readonly FileField[] = [
  { field: 'thumbnail_url', filename: 'thumbnail', mime: 'image/jpeg' },
  { field: 'mask_video.url', filename: 'mask', mime: 'video/mp4' },
]

export const KEPT: readonly FileField[] = [...OUTPUTS, ...FURTHER]

export const generated = Type.Object({})

export function generateRequest(input: Data): WireRequest {
  const model = modelOf(input)
  const withPresets = withDefaults(model, input)
  return post(`/${model.endpoint(withPresets)}`, model.body(withPresets))
}

/**
 * The vendor reports failed jobs as completed, too. Any other final status is undocumented and ends
 * the job.
 */
function progressOf(status: string): Progress {
  if (status === 'COMPLETED') return { kind: 'finished' }
  return /^(FAILED|ERROR|CANCELL?ED)$/.test(status)
    ? {
        kind: 'failed',
        message: `The service behind "media" ended the job with status ${status}. Nothing was charged.`,
      }
    : { kind: 'pending' }
}

const queue = { origin: 'queue' } as const

/** The path of a job in the vendor's URL, which may continue after the id. */
const PLACE = /(\/[^/?#]+\/[^/?#]+\/requests\/[\w-]+)(?:[/?#]|$)/

export const launch = {
  request: (input: Data): WireRequest => ({ ...generateRequest(input), ...queue }),
  reply: Type.Object({
    request_id: Type.String({ minLength: 1 }),
    response_url: Type.String({ pattern: PLACE.source }),
  }),
  // The job's URL from the vendor. For a model with a longer name, the URL cannot be derived from
  // the name.
  reference: ({ body }: Reply<{ readonly response_url: string }>): string =>
    PLACE.exec(body.response_url)?.[1] ?? '',
}

export const poll = {
  request: (place: string): WireRequest => ({ ...get(`${place}/status`), ...queue }),
  progress: ({ body }: Reply): Progress => progressOf(textField(body, 'status')),
  everySeconds: 3,
  giveUpAfterSeconds: 3_600,
  // A failed job is completed, too. Its error appears here.
  result: (place: string): WireRequest => ({ ...get(place), ...queue }),
  stop: (place: string): WireRequest => ({ method: 'PUT', path: `${place}/cancel`, ...queue }),
}

export function generateOutcome(reply: Reply, input: Data): Outcome {
  const model = modelOf(input)
  const body = reply.body as Data
  if (findOutputs(body, OUTPUTS).length === 0)
    return failed('upstream_error', `${model.key} returned no file. Nothing was charged.`)
  const withPresets = withDefaults(model, input)
  const units = model.delivered?.(reply, withPresets) ?? model.units(withPresets)
  return { kind: 'done', data: { ...body, model: model.key }, units }
}
