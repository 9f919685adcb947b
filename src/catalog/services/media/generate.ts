/** What `media/generate` sends for a model, and what it makes of the answer. */
import { Type } from 'typebox'
import { outputsIn, type KeptField } from '../../kept-field.ts'
import { failed, type Data, type Outcome } from '../../outcome.ts'
import { post, type Reply, type WireRequest } from '../../wire.ts'
import { withStandards } from './model.ts'
import { modelOf } from './models.ts'

/** Where the answers of the models hold files. */
export const OUTPUTS: readonly KeptField[] = [
  { field: 'images[].url', filename: 'picture', mime: 'image/png' },
  { field: 'audio.url', filename: 'sound', mime: 'audio/mpeg' },
]

export const generated = Type.Object({})

export function generateRequest(input: Data): WireRequest {
  const model = modelOf(input)
  const asked = withStandards(model, input)
  return post(`/${model.endpoint(asked)}`, model.body(asked))
}

export function generateOutcome(reply: Reply, input: Data): Outcome {
  const model = modelOf(input)
  const body = reply.body as Data
  if (outputsIn(body, OUTPUTS).length === 0) return failed('upstream_error', `${model.key} delivered no file. Nothing was charged.`)
  const asked = withStandards(model, input)
  const units = model.delivered?.(reply, asked) ?? model.units(asked)
  return { kind: 'done', data: { ...body, model: model.key }, units }
}
