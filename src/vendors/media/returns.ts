/** From fal.ai's schemas of the models' outputs, and src/calls/jobs. */
import { Type } from '../../lib/schema.ts'
import {
  address,
  answer,
  anything,
  count,
  either,
  flag,
  items,
  maybe,
  number,
  open,
  oneOf,
  record,
  records,
  text,
  time,
  type Returns,
} from '../../catalog/vocabulary/returns.ts'

const file = {
  url: address('A link that works for an hour. files/get returns a new one.'),
  content_type: maybe(text('The media type, such as "image/png".')),
  file_name: maybe(text('The name of the file.')),
  file_size: maybe(count('The size of the file.', 'bytes')),
  width: maybe(count('The width.', 'pixels')),
  height: maybe(count('The height.', 'pixels')),
}
const duration = maybe(number('The length.', 'seconds'))
const film = { ...file, duration, fps: maybe(number('The number of frames per second.')) }

const generated = {
  model: maybe(text('The model that generated the files.')),
  images: maybe(records('The generated or edited images.', file)),
  audio: maybe(record('The generated speech or music.', { ...file, duration })),
  video: maybe(
    either(
      'The generated or edited video. Models that remove a background return a list.',
      Type.Object(film, { additionalProperties: true }),
      Type.Array(Type.Object(film, { additionalProperties: true })),
    ),
  ),
  video_url: maybe(address('The assembled video, as a link that works for an hour.')),
  thumbnail_url: maybe(address('A still image of the assembled video.')),
  mask_video: maybe(record('A video that shows the removed background.', film)),
  seed: maybe(count('Repeats the result if you send it with the same input.')),
  prompt: maybe(text('The prompt that the model used.')),
  description: maybe(text('A comment of the model on its images.')),
  has_nsfw_concepts: maybe(
    items('Whether each image may be unsafe.', Type.Boolean({ description: 'true if unsafe.' })),
  ),
  timings: maybe(open('How long the steps took, in seconds.')),
  timestamps: maybe(items('When each word is spoken.', anything('A word.'))),
  transaction_id: maybe(text('Send it to media/result to read this answer again.')),
}

export const returns: Returns = {
  generate: answer(generated),
  upload: answer({
    upload_url: address('PUT the raw bytes here.'),
    file_url: address('The URL of the uploaded file, for the input of media/generate.'),
  }),
  result: answer({
    ...generated,
    ok: maybe(flag('For a job: false if it failed.')),
    job_id: maybe(text('For a job: its id.')),
    service: maybe(text('For a job: the service, always "media".')),
    action: maybe(text('For a job: the action.')),
    status: maybe(
      oneOf('For a job: its state. "succeeded" and "failed" are final.', [
        'queued',
        'running',
        'succeeded',
        'failed',
      ]),
    ),
    cancelled: maybe(flag('For a job: true if core/cancel ended it early.')),
    attempt: maybe(count('For a job: the number of times that a worker has started it.')),
    created_at: maybe(time('For a job: when it was submitted.')),
    started_at: maybe(time('For a job: when a worker first started it.')),
    finished_at: maybe(time('For a job: when it succeeded or failed.')),
    deadline_at: maybe(time('For a job: when it ends at the latest.')),
    charged_cents: maybe(count('For a job: its charge, rounded up.', 'cents')),
    charged_micros: maybe(count('For a job: its exact charge.', 'micro-dollars')),
    budget_cents: maybe(count('For a job: the amount held for it, rounded up.', 'cents')),
    progress: maybe(open('For an unfinished job: its progress.')),
    result: maybe(record('For a job that succeeded: the answer of media/generate.', generated)),
    error: maybe(
      record('For a job that failed: the reason.', {
        code: text('The error code, as in the errors of calls.'),
        message: text('What happened.'),
        fix: maybe(text('What to do.')),
      }),
    ),
  }),
}
