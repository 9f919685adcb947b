/** From Parallel's API reference for search, extract and task runs. */
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
  oneOf,
  open,
  record,
  records,
  text,
  time,
  words,
  type Returns,
} from '../../catalog/vocabulary/returns.ts'
import { engineFields } from '../shared/in-house-search.ts'

const use = maybe(
  records("The vendor's own count of the request. The gateway's charge is in the envelope.", {
    name: text('The name of the price.'),
    count: maybe(number('The number of units.')),
  }),
)
const warnings = maybe(
  items('Parameters that the vendor did not fully apply.', anything('A warning.')),
)
const session = maybe(text('The id that groups related requests at the vendor.'))
const page = {
  url: address('The URL of the page.'),
  title: maybe(text('The title of the page.')),
  publish_date: maybe(time('When the page was published, such as "2026-05-01".')),
  excerpts: maybe(words('The passages that fit the objective, as Markdown.')),
}
const run = {
  run_id: text('The id of the task, for agentic/task-status.'),
  is_active: maybe(flag('Whether the task is still being worked on.')),
  processor: maybe(oneOf('The depth of the research.', ['pro', 'ultra'])),
  interaction_id: maybe(text('The id that a follow-up task at the vendor would name.')),
  created_at: maybe(time('When the task was started.')),
  modified_at: maybe(time('When the state last changed.')),
  metadata: maybe(open('Labels of the task at the vendor.')),
  error: maybe(
    record('Why the task failed.', {
      message: maybe(text('The reason in words.')),
      ref_id: maybe(text("The vendor's id of the failure.")),
      detail: maybe(open('Further facts.')),
    }),
  ),
  warnings,
}
const states = [
  'queued',
  'action_required',
  'running',
  'completed',
  'failed',
  'cancelling',
  'cancelled',
]

export const returns: Returns = {
  search: answer({
    ...engineFields,
    search_id: maybe(text("The vendor's id of the search.")),
    session_id: session,
    results: records('The pages, best match first.', page),
    usage: use,
    warnings,
  }),
  extract: answer({
    extract_id: maybe(text("The vendor's id of the request.")),
    session_id: session,
    results: records('The pages that were read.', {
      ...page,
      full_content: maybe(text('The whole page as Markdown, if requested.')),
      data: maybe(open('The data of the page in your schema, if you sent one.')),
    }),
    errors: maybe(
      records('The pages that could not be read. They are not charged.', {
        url: address('The requested URL.'),
        error_type: maybe(text('The kind of failure.')),
        http_status_code: maybe(count("The HTTP status of the page's server.")),
        content: maybe(text('What the server returned instead, or why the page has no data.')),
      }),
    ),
    usage: use,
    warnings,
  }),
  task: answer({ ...run, status: oneOf('The state of the task.', states) }),
  'task-status': answer({
    ...run,
    run_id: maybe(run.run_id),
    status: maybe(oneOf('The state of the task.', states)),
    output: maybe(
      record('The result. Present when the status is completed.', {
        type: maybe(oneOf('The form of the content.', ['text', 'json'])),
        content: maybe(
          either('The report, or the data in your JSON Schema.', text('A report.'), open('Data.')),
        ),
        basis: maybe(
          records('The evidence for each part of the content.', {
            field: maybe(text('The part of the content.')),
            reasoning: maybe(text('How the vendor came to this part.')),
            citations: maybe(
              records('The pages that support it.', {
                url: address('The URL of the page.'),
                title: maybe(text('The title of the page.')),
                excerpts: maybe(words('The supporting passages.')),
              }),
            ),
            confidence: maybe(oneOf('How sure the part is.', ['low', 'medium', 'high'])),
          }),
        ),
      }),
    ),
  }),
}
