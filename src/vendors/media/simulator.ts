/**
 * fal.ai's API. Every model returns a one-pixel image, a moment of silence or an empty video, in
 * the answer or from the queue. `nobody` gets no file.
 */
import { asText, field } from '../../catalog/answers/vendor-failure.ts'
import { SCREENSHOT } from '../../simulators/content.ts'
import { jobOf, startJob } from '../../simulators/jobs.ts'
import { countOf, isMiss, json, routed } from '../../simulators/routed.ts'
import {
  bodyField,
  type SimulatedReply,
  type SimulatedRequest,
  type SimulatedVendor,
} from '../../simulators/vendor.ts'

/** An empty frame of MPEG audio. */
const SILENCE = `data:audio/mpeg;base64,${Buffer.from([0xff, 0xfb, 0x10, 0x00, ...Array.from({ length: 28 }, () => 0)]).toString('base64')}`
/** The duration of a video if the request does not state it. */
const SIMULATED_SECONDS = 5
const SOUND = /speech|tts|kokoro|music/
const FILM = `data:video/mp4;base64,${Buffer.from('\0\0\0\u0010ftypisom\0\0\0\0').toString('base64')}`
const UPLOADS = '/uploads'

function failure(status: number, reason: string): SimulatedReply {
  return json(
    {
      detail:
        reason === 'quota'
          ? 'User is locked. Reason: Exhausted balance (simulated).'
          : `Simulated failure (${reason}).`,
    },
    status,
  )
}

function made(request: SimulatedRequest, model: string): SimulatedReply {
  if (isMiss(request, 'media')) return json({ images: [] })
  if (SOUND.test(model))
    return json({
      audio: {
        url: SILENCE,
        content_type: 'audio/mpeg',
        file_name: 'simulated.mp3',
        file_size: 32,
      },
    })
  const count = countOf(bodyField(request, 'num_images'), 1)
  const size = sizeIn(bodyField(request, 'image_size'))
  const images = Array.from({ length: count }, () => ({
    url: SCREENSHOT,
    content_type: 'image/png',
    ...size,
  }))
  return json({ images, seed: 42, prompt: bodyField(request, 'prompt') })
}

type Size = { readonly width: number; readonly height: number }

function sizeIn(asked: unknown): Size {
  return {
    width: countOf(field(asked, 'width'), 1024),
    height: countOf(field(asked, 'height'), 1024),
  }
}

function queued(request: SimulatedRequest, model: string): SimulatedReply {
  const id = startJob(
    {
      model,
      said: bodyField(request, 'prompt'),
      ...(isMiss(request, 'media') ? { isMissed: true } : {}),
      seconds: Number.parseInt(asText(bodyField(request, 'duration') ?? SIMULATED_SECONDS), 10),
    },
    request.now,
  )
  // Job URLs contain only the first two parts of a model's name.
  const place = `https://queue.fal.run/${model.split('/').slice(0, 2).join('/')}/requests/${id}`
  return json({
    status: 'IN_QUEUE',
    request_id: id,
    response_url: place,
    status_url: `${place}/status`,
    cancel_url: `${place}/cancel`,
    queue_position: 0,
  })
}

function slot(request: SimulatedRequest): SimulatedReply {
  const name = encodeURIComponent(asText(bodyField(request, 'file_name')))
  return json({
    upload_url: `http://${request.headers.host}/media${UPLOADS}/${name}`,
    file_url: `https://v3.fal.media/files/simulated/${name}`,
  })
}

function statusOf({ now }: SimulatedRequest, id: string): SimulatedReply {
  const job = jobOf(id, now)
  return job === undefined
    ? failure(404, 'no such request')
    : json({ status: job.state === 'running' ? 'IN_PROGRESS' : 'COMPLETED' })
}

function resultOf({ now }: SimulatedRequest, id: string): SimulatedReply {
  const job = jobOf(id, now)
  if (job === undefined) return failure(404, 'no such request')
  const { model, said, seconds, isMissed } = job.input
  if (job.state === 'running') return failure(400, 'still in progress')
  // The result of a failed model contains the error.
  if (isMissed === true || /nobody/i.test(String(said)))
    return json(
      {
        detail: [
          {
            loc: ['body', 'prompt'],
            msg: 'The model refused (simulated).',
            type: 'content_policy_violation',
          },
        ],
      },
      422,
    )
  const film = { url: FILM, content_type: 'video/mp4', file_name: 'simulated.mp4', file_size: 16 }
  if (model === 'fal-ai/ffmpeg-api/compose')
    return json({ video_url: FILM, thumbnail_url: SCREENSHOT })
  return json({ video: { ...film, duration: seconds } })
}

function isUpload(path: string): boolean {
  return path.startsWith(`${UPLOADS}/`)
}

const media: SimulatedVendor = {
  takesBytes: isUpload,
  ...routed({
    // Anyone with an upload URL may use it.
    credential: ({ headers, path }) =>
      isUpload(path) ? 'the address' : /^Key\s+(.+)$/i.exec(headers.authorization ?? '')?.[1],
    quotaStatus: 403,
    failure,
    routes: {
      'POST /storage/storage/upload/initiate': slot,
      [`PUT ${UPLOADS}/:name`]: () => json({}),
      'POST /fal-ai/ffmpeg-api/metadata': () => json({ media: { duration: SIMULATED_SECONDS } }),
      'POST /queue/:model*': (request, { model = '' }) => queued(request, model),
      'GET /queue/:owner/:name/requests/:id/status': (request, { id = '' }) =>
        statusOf(request, id),
      'GET /queue/:owner/:name/requests/:id': (request, { id = '' }) => resultOf(request, id),
      'PUT /queue/:owner/:name/requests/:id/cancel': () =>
        json({ status: 'CANCELLATION_REQUESTED' }, 202),
      'POST /:model*': (request, { model = '' }) => made(request, model),
    },
  }),
}

export const simulators = { media }
