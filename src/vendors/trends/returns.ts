/** From SerpApi's reference of the Google Trends engine. */
import {
  address,
  answer,
  count,
  flag,
  maybe,
  number,
  oneOf,
  open,
  record,
  records,
  text,
  time,
  type Returns,
} from '../../catalog/vocabulary/returns.ts'

const common = {
  search_metadata: maybe(
    record('Facts about the search.', {
      id: maybe(text("The vendor's id of the search.")),
      status: maybe(oneOf('Whether the search succeeded.', ['Success', 'Processing', 'Error'])),
      created_at: maybe(time('When the search was accepted.')),
      processed_at: maybe(time('When the search was done.')),
      google_trends_url: maybe(address('The same search at Google.')),
      total_time_taken: maybe(number('The time that the vendor needed.', 'seconds')),
    }),
  ),
  search_parameters: maybe(open('The parameters that the vendor applied.')),
  error: maybe(text('Why the search has no data.')),
}
const interest = {
  query: maybe(text('The search term.')),
  value: maybe(text('The interest as text, such as "41" or "<1".')),
  extracted_value: maybe(number('The interest, from 0 to 100 relative to the maximum.')),
}
const region = {
  geo: maybe(text('The code of the region.')),
  location: maybe(text('The name of the region.')),
  coordinates: maybe(open('The latitude and longitude of a city.')),
  max_value_index: maybe(count('The place of the leading term in `values`, from 0.')),
}
const regions = {
  interest_by_region: maybe(
    records('The interest in one term by region, highest first.', {
      ...region,
      value: interest.value,
      extracted_value: interest.extracted_value,
    }),
  ),
  compared_breakdown_by_region: maybe(
    records('The interest in several terms by region.', {
      ...region,
      values: maybe(records('The interest in each term.', interest)),
    }),
  ),
}
const overTime = {
  interest_over_time: maybe(
    record('The interest over time.', {
      timeline_data: maybe(
        records('The points in time, oldest first.', {
          date: maybe(text('The period in words.')),
          timestamp: maybe(text('The start of the period in seconds since 1970, as text.')),
          partial_data: maybe(flag('Whether the period is not over.')),
          values: maybe(records('The interest in each term.', interest)),
        }),
      ),
      averages: maybe(
        records('The average interest in each of several terms.', {
          query: maybe(text('The search term.')),
          value: maybe(number('The average, from 0 to 100.')),
        }),
      ),
    }),
  ),
}
const growth = {
  value: maybe(text('The interest, or the growth such as "+250%" or "Breakout".')),
  extracted_value: maybe(number('The same as a number.')),
  link: maybe(address('The page of the entry at Google Trends.')),
}
const lists = (rising: string, top: string, row: Parameters<typeof records>[1]) =>
  maybe(
    record('The lists.', {
      rising: maybe(records(rising, { ...row, ...growth })),
      top: maybe(records(top, { ...row, ...growth })),
    }),
  )
const queries = {
  related_queries: lists('Queries with the most growth.', 'The most frequent queries.', {
    query: maybe(text('The query.')),
  }),
}
const topics = {
  related_topics: lists('Topics with the most growth.', 'The most frequent topics.', {
    topic: maybe(
      record('The topic.', {
        value: maybe(text("Google's id of the topic.")),
        title: maybe(text('The name of the topic.')),
        type: maybe(text('The kind of topic.')),
      }),
    ),
  }),
}

export const returns: Returns = {
  fetch: answer({ ...common, ...overTime, ...regions, ...queries, ...topics }),
  'fetch /trend': answer({ ...common, ...overTime }),
  'fetch /interest-by-region': answer({ ...common, ...regions }),
  'fetch /related-queries': answer({ ...common, ...queries }),
  'fetch /related-topics': answer({ ...common, ...topics }),
}
