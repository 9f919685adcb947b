/** From Oxylabs' documentation of the realtime queries. */
import {
  address,
  answer,
  count,
  maybe,
  oneOf,
  record,
  records,
  text,
  time,
  type Returns,
} from '../../catalog/vocabulary/returns.ts'

const moment = (description: string) =>
  maybe(time(`${description}, as "2026-11-20 12:00:00" in UTC.`))

export const returns: Returns = {
  scrape: answer({
    results: records('One page.', {
      content: maybe(text('The HTML of the page, or the screenshot as base64 if `render` is png.')),
      status_code: maybe(count("The HTTP status of the page's server.")),
      url: maybe(address('The URL of the page.')),
      job_id: maybe(text("The vendor's id of the reading.")),
      page: maybe(count('The page number of a listing. 1 for a single page.')),
      type: maybe(oneOf('The form of the content.', ['raw', 'parsed', 'png'])),
      created_at: moment('When the reading started'),
      updated_at: moment('When the reading ended'),
    }),
    job: maybe(
      record('The reading as the vendor did it.', {
        id: maybe(text("The vendor's id of the reading.")),
        status: maybe(oneOf('The state of the reading.', ['pending', 'done', 'faulted'])),
        url: maybe(address('The requested URL.')),
        geo_location: maybe(text('The place that the page was read from.')),
        render: maybe(oneOf('How a browser was used.', ['html', 'png'])),
        source: maybe(text("The vendor's name of the reader.")),
        user_agent_type: maybe(text('The kind of browser that was presented.')),
        created_at: moment('When the reading started'),
        updated_at: moment('When the reading ended'),
      }),
    ),
  }),
}
