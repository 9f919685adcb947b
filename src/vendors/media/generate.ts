/** What `media/generate` sends for a model, and what it makes of the answer. */
import { Type } from 'typebox'
import { findOutputs, type FileField } from '../../catalog/vocabulary/file-field.ts'
import { failed, type Data, type Outcome } from '../../catalog/vocabulary/outcome.ts'
import { get, post, type Reply, type WireRequest } from '../../catalog/vocabulary/wire.ts'
import type { Progress } from '../../catalog/vocabulary/define.ts'
import { textField } from '../../catalog/answers/vendor-failure.ts'
import { withDefaults } from '../../catalog/prices/media-price.ts'
import { modelOf } from './models.ts'

/** Where the answers of the models hold files. */
const OUTPUTS: readonly FileField[] = [
  { field: 'images[].url', filename: 'picture', mime: 'image/png' },
  { field: 'audio.url', filename: 'sound', mime: 'audio/mpeg' },
  { field: 'video.url', filename: 'film', mime: 'video/mp4' },
  { field: 'video[].url', filename: 'film', mime: 'video/webm' },
  { field: 'video_url', filename: 'film', mime: 'video/mp4' },
]

/** What comes beside them. */
const FURTHER: readonly FileField[] = [
  { field: 'thumbnail_url', filename: 'thumbnail', mime: 'image/jpeg' },
  { field: 'mask_video.url', filename: 'mask', mime: 'video/mp4' },
]

export const KEPT: readonly FileField[] = [...OUTPUTS, ...FURTHER]

export const generated = Type.Object({})

export function generateRequest(input: Data): WireRequest {
  const model = modelOf(input)
  const asked = withDefaults(model, input)
  return post(`/${model.endpoint(asked)}`, model.body(asked))
}

/** The vendor calls what failed completed too; other words for an end are not of its documents, and nothing would follow them. */
function progressOf(status: string): Progress {
  if (status === 'COMPLETED') return { kind: 'finished' }
  return /^(FAILED|ERROR|CANCELL?ED)$/.test(status)
    ? {
        kind: 'failed',
        message: `The service behind "media" ended the job as ${status}. Nothing was charged.`,
      }
    : { kind: 'pending' }
}

const queue = { origin: 'queue' } as const

/** Where a job is, in the vendor's own address of it. */
const PLACE = /(\/[^/?#]+\/[^/?#]+\/requests\/[\w-]+)$/

export const launch = {
  request: (input: Data): WireRequest => ({ ...generateRequest(input), ...queue }),
  reply: Type.Object({
    request_id: Type.String({ minLength: 1 }),
    response_url: Type.String({ pattern: PLACE.source }),
  }),
  // The vendor's own address of the job: for a model of a longer name it is not made of that name.
  reference: ({ body }: Reply<{ readonly response_url: string }>): string =>
    PLACE.exec(body.response_url)?.[1] ?? '',
}

export const poll = {
  request: (place: string): WireRequest => ({ ...get(`${place}/status`), ...queue }),
  progress: ({ body }: Reply): Progress => progressOf(textField(body, 'status')),
  everySeconds: 3,
  giveUpAfterSeconds: 3_600,
  // Failures are completed too: they answer here with an error.
  result: (place: string): WireRequest => ({ ...get(place), ...queue }),
  stop: (place: string): WireRequest => ({ method: 'PUT', path: `${place}/cancel`, ...queue }),
}

export function generateOutcome(reply: Reply, input: Data): Outcome {
  const model = modelOf(input)
  const body = reply.body as Data
  if (findOutputs(body, OUTPUTS).length === 0)
    return failed('upstream_error', `${model.key} delivered no file. Nothing was charged.`)
  const asked = withDefaults(model, input)
  const units = model.delivered?.(reply, asked) ?? model.units(asked)
  return { kind: 'done', data: { ...body, model: model.key }, units }
}
