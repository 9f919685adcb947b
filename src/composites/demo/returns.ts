import {
  address,
  answer,
  count,
  flag,
  maybe,
  number,
  oneOf,
  record,
  records,
  text,
  time,
  orNull,
} from '../../catalog/vocabulary/returns.ts'
import { hops, next, spending } from '../shared/returns.ts'
import { STEP_ACTIONS } from '../../reader/video/step.ts'

const stepAction = oneOf('What the browser does.', STEP_ACTIONS)

const video = answer({
  video_url: address('The MP4. The link works for an hour; files/get returns a new one.'),
  video_url_expires_at: time('When the link stops working.'),
  file_id: text('The id of the video among your files.'),
  size: count('The size of the video.', 'bytes'),
  duration_seconds: number('The length of the video.', 'seconds'),
  width: count('The width of the video.', 'pixels'),
  height: count('The height of the video.', 'pixels'),
  aspect_ratio: oneOf('The requested ratio of width to height.', ['16:9', '9:16', '1:1']),
  script: maybe(
    records('The planned steps. Change them and send them to core/produce_demo.', {
      action: stepAction,
      url: maybe(address('open: the page.')),
      target: maybe(text('The element: its words, or a CSS selector after "css=".')),
      text: maybe(text('type: the text to type. wait: the words to wait for.')),
      key: maybe(text('press: the key.')),
      seconds: maybe(number('How long the video then shows the page.', 'seconds')),
      say: maybe(text('The line of narration.')),
    }),
  ),
  scenes: records('The outcome of each step.', {
    index: count('The place of the step in the script, from 0.'),
    action: stepAction,
    url: orNull(address('The page at the end of the step.')),
    caption: orNull(text('The caption shown.')),
    start_seconds: number('When the step starts in the video.', 'seconds'),
    end_seconds: number('When the step ends in the video.', 'seconds'),
    ok: flag('Whether the step is in the video.'),
    error: maybe(
      oneOf('Why the step is not in the video.', [
        'bot_wall',
        'not_found',
        'not_done',
        'not_opened',
        'stuck',
        'out of time',
        'cancelled',
      ]),
    ),
    note: maybe(text('The same as a sentence.')),
  }),
  narration: record('How the lines of the script are presented.', {
    kind: oneOf('A voice, or captions only.', ['speech', 'captions']),
    note: maybe(text('Why some lines are not spoken.')),
  }),
  simulated: maybe(flag('true for a test key: a sample site was recorded.')),
  note: maybe(text('The page that a test key recorded instead of the real ones.')),
  calls: hops('The calls that spoke the lines.'),
  next,
  ...spending,
})

export const returns = { produce_demo: video, produce_autodemo: video }
