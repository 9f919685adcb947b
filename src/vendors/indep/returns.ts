/** From Brave's API reference for web search and news search. */
import {
  address,
  answer,
  anything,
  count,
  flag,
  items,
  maybe,
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

const site = maybe(
  record('The parts of the URL.', {
    scheme: maybe(text('The protocol, such as "https".')),
    netloc: maybe(text('The host with a port.')),
    hostname: maybe(text('The host in lower case.')),
    favicon: maybe(address("The site's icon.")),
    path: maybe(text('The path as breadcrumbs.')),
  }),
)
const image = maybe(
  record('A small image of the result.', {
    src: maybe(address("The vendor's copy of the image.")),
    original: maybe(address('The original image.')),
  }),
)
const page = {
  title: maybe(text('The title of the page.')),
  url: address('The URL of the page.'),
  description: maybe(text('The passage of the page that fits the query.')),
  age: maybe(text('The age in words or the date, such as "2 days ago".')),
  page_age: maybe(time('When the page was published or changed.')),
  language: maybe(text('The language of the page, such as "en".')),
  extra_snippets: maybe(words('Further passages of the page, if requested.')),
  meta_url: site,
  thumbnail: image,
  engines: maybe(
    words('Only on a gateway that searches with its own engines: those that found the page.'),
  ),
}
const article = {
  ...page,
  breaking: maybe(flag('Whether the article is about breaking news.')),
  source: maybe(text('The name of the publisher.')),
}
const query = maybe(
  record('The query as the vendor understood it.', {
    original: maybe(text('The query of the call.')),
    altered: maybe(text('The query after a correction of the spelling.')),
    more_results_available: maybe(flag('Whether a further page has results.')),
    country: maybe(text('The country of the results.')),
    language: maybe(open('The language of the query.')),
    is_navigational: maybe(flag('Whether the query is the name of a site.')),
    is_news_breaking: maybe(flag('Whether the query is about breaking news.')),
  }),
)

export const returns: Returns = {
  search: answer({
    ...engineFields,
    type: maybe(oneOf('The kind of the answer.', ['search'])),
    query,
    mixed: maybe(open('The order in which a search page would show the sections.')),
    web: maybe(
      record('Web pages. Absent without results, like every section.', {
        results: maybe(
          records('The pages, best match first.', {
            ...page,
            profile: maybe(
              record('The site of the page.', {
                name: maybe(text('The name of the site.')),
                long_name: maybe(text('The host of the site.')),
                url: maybe(address('The URL that the profile stands for.')),
                img: maybe(address("The site's icon.")),
              }),
            ),
            deep_results: maybe(open('Further pages of the same site.')),
            family_friendly: maybe(flag('Whether the page is free of adult content.')),
          }),
        ),
      }),
    ),
    news: maybe(record('News articles.', { results: maybe(records('The articles.', article)) })),
    videos: maybe(
      record('Videos.', {
        results: maybe(
          records('The videos.', {
            ...page,
            video: maybe(
              record('Facts about the video.', {
                duration: maybe(text('The length, such as "12:34".')),
                views: maybe(anything('The number of views.')),
                creator: maybe(text('The author of the video.')),
                publisher: maybe(text('The site of the video.')),
              }),
            ),
          }),
        ),
      }),
    ),
    discussions: maybe(
      record('Threads of forums.', {
        results: maybe(
          records('The threads.', {
            ...page,
            data: maybe(
              record('Facts about the thread.', {
                forum_name: maybe(text('The forum.')),
                num_answers: maybe(count('The number of answers.')),
                score: maybe(text('The score of the thread.')),
                question: maybe(text('The question of the thread.')),
                top_comment: maybe(text('The best answer.')),
              }),
            ),
          }),
        ),
      }),
    ),
    faq: maybe(
      record('Frequent questions.', {
        results: maybe(
          records('The questions.', {
            question: maybe(text('The question.')),
            answer: maybe(text('The answer.')),
            title: maybe(text('The title of the page with the answer.')),
            url: maybe(address('The URL of that page.')),
          }),
        ),
      }),
    ),
    infobox: maybe(
      record('Facts about the thing that the query names.', {
        results: maybe(
          items('The facts.', open('A thing with its title, description and attributes.')),
        ),
      }),
    ),
    locations: maybe(
      record('Places.', {
        results: maybe(
          items('The places.', open('A place with its title, coordinates and address.')),
        ),
      }),
    ),
  }),
  news: answer({
    ...engineFields,
    type: maybe(oneOf('The kind of the answer.', ['news'])),
    query,
    results: maybe(records('The articles, best match first.', article)),
  }),
}
