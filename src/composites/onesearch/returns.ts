import {
  address,
  answer,
  count,
  flag,
  maybe,
  number,
  oneOf,
  records,
  text,
  time,
  words,
  orNull,
} from '../../catalog/vocabulary/returns.ts'
import { calls, chargedCents, chargedMicros, next, spending } from '../shared/returns.ts'

const row = {
  id: text('Identifies the page: its URL in a normal form, equal for duplicates.'),
  url: address('The URL of the page.'),
  title: orNull(text('The title of the page.')),
  snippet: orNull(text('A short extract or description.')),
  published_at: orNull(time('When the page was published, in ISO 8601.')),
  sources: words('The search services that found the page.'),
  score: number('The fused rank, at most 1: every service that found anything ranks it first.'),
}

const serviceCalls = calls([], {
  row_count: maybe(count('The number of results of a search.')),
  error: maybe(text('The error code of a search that failed, such as "upstream_timeout".')),
})

export const returns = {
  onesearch: answer({
    query: text('Your query.'),
    row_count: count('The number of pages.'),
    rows: records('The pages, best first, without duplicates.', row),
    calls: serviceCalls,
    next,
  }),
  'onesearch-deep': answer({
    query: text('Your query.'),
    questions: maybe(words('Your further questions.')),
    answer: orNull(
      text('The answer, with numbers such as [2] that refer to `citations`. null without a model.'),
    ),
    citations: records('The pages that the answer cites.', {
      number: count('The number in the answer.'),
      url: address('The cited page.'),
      title: orNull(text('Its title.')),
    }),
    answer_note: maybe(text('Why `answer` is null.')),
    row_count: count('The number of pages found.'),
    read_count: count('The number of pages read.'),
    skipped_count: count('The number of pages that the budget did not cover.'),
    rows: records('The pages, best first, without duplicates.', {
      ...row,
      read: flag('Whether the page was read.'),
      content: orNull(
        text('The page as Markdown, at most 30 000 characters. null if it was not read.'),
      ),
      chars: count('The length of the whole page.', 'characters'),
      passages: words('The sentences that match the questions best.'),
      charged_cents: chargedCents('The charge for reading the page'),
      charged_micros: chargedMicros('The charge for reading the page'),
      error: maybe(
        oneOf('Why the page could not be read. Absent if it was read or not needed.', [
          'blocked',
          'unreadable',
          'over budget',
          'cancelled',
          'deadline',
        ]),
      ),
    }),
    calls: serviceCalls,
    next,
    ...spending,
  }),
}
