/** From GDELT's documentation of the DOC 2.0 API. */
import {
  address,
  answer,
  maybe,
  number,
  record,
  records,
  text,
  time,
  type Returns,
} from '../../catalog/vocabulary/returns.ts'

export const returns: Returns = {
  news: answer({
    articles: records('The articles, latest first.', {
      url: address('The URL of the article.'),
      url_mobile: maybe(text('The URL for phones; empty if unknown.')),
      title: maybe(text('The title in the language of the article.')),
      seendate: maybe(time('When the source saw the article, as 20261120T100000Z.')),
      socialimage: maybe(text('The main image; empty if unknown.')),
      domain: maybe(text('The host of the article.')),
      language: maybe(text('The language in English, such as "French".')),
      sourcecountry: maybe(text('The country of the publisher in English.')),
    }),
  }),
  timeline: answer({
    query_details: maybe(
      record('The query as the source understood it.', {
        title: maybe(text('The query.')),
        date_resolution: maybe(text('The length of a step, such as "day".')),
      }),
    ),
    timeline: records('The series.', {
      series: maybe(text('The name of the series.')),
      data: maybe(
        records('The points in time, oldest first.', {
          date: maybe(time('The start of the step, as 20261119T000000Z.')),
          value: maybe(
            number('The share of all articles in percent, or the average tone from -100 to 100.'),
          ),
          norm: maybe(number('The number of all articles of the step.', 'articles')),
        }),
      ),
    }),
  }),
}
