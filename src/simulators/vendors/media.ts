/** fal.ai's wire: a picture of one dot or a moment of silence for every model, with the answer; "nobody" gets no file. */
import { field } from '../../catalog/vendor-failure.ts'
import { SCREENSHOT } from '../content.ts'
import { countOf, isMiss, json, routed } from '../routed.ts'
import { bodyField, type SimulatedReply, type SimulatedRequest } from '../vendor.ts'

/** An empty frame of MPEG audio. */
const SILENCE = `data:audio/mpeg;base64,${Buffer.from([0xff, 0xfb, 0x10, 0x00, ...Array.from({ length: 28 }, () => 0)]).toString('base64')}`
const SOUND = /speech|tts|kokoro|music/
const PIXELS_IN_MEGAPIXEL = 1_048_576

function failure(status: number, reason: string): SimulatedReply {
  return json({ detail: reason === 'quota' ? 'User is locked. Reason: Exhausted balance (simulated).' : `Simulated failure (${reason}).` }, status)
}

function made(request: SimulatedRequest, model: string): SimulatedReply {
  if (isMiss(request, 'media')) return json({ images: [] })
  if (SOUND.test(model)) return json({ audio: { url: SILENCE, content_type: 'audio/mpeg', file_name: 'simulated.mp3', file_size: 32 } })
  const count = countOf(bodyField(request, 'num_images'), 1)
  const size = sizeIn(bodyField(request, 'image_size'))
  const images = Array.from({ length: count }, () => ({ url: SCREENSHOT, content_type: 'image/png', ...size }))
  return { ...json({ images, seed: 42, prompt: bodyField(request, 'prompt') }), headers: { 'x-fal-billable-units': String(count * megapixelsOf(size)) } }
}

type Size = { readonly width: number; readonly height: number }

function sizeIn(asked: unknown): Size {
  return { width: countOf(field(asked, 'width'), 1024), height: countOf(field(asked, 'height'), 1024) }
}

function megapixelsOf({ width, height }: Size): number {
  return Math.ceil((width * height) / PIXELS_IN_MEGAPIXEL)
}

export const media = routed({
  credential: ({ headers }) => /^Key\s+(.+)$/i.exec(headers.authorization ?? '')?.[1],
  quotaStatus: 403,
  failure,
  routes: {
    'POST /:model*': (request, { model = '' }) => made(request, model),
  },
})
