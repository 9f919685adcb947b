/** The answer of each actor: its results as it returns them. */
import { type TObject, type TProperties } from '../../lib/schema.ts'
import { answer, count, records, text, type Returns } from '../../catalog/vocabulary/returns.ts'
import { peopleAndJobs } from './returns-linkedin-and-x.ts'
import { mediaAndPlaces } from './returns-media-and-places.ts'
import { tiktok } from './returns-tiktok.ts'

function results(fields: TProperties): TObject {
  return answer({
    actor: text('The scraper that ran, as it is named in the Apify Store.'),
    item_count: count('The number of results that are charged.', 'results'),
    items: records('The results, in the order of the scraper.', fields),
  })
}

export const returns: Returns = Object.fromEntries(
  Object.entries({ ...peopleAndJobs, ...mediaAndPlaces, ...tiktok }).map(([name, fields]) => [
    name,
    results(fields),
  ]),
)
