/** From GovLaws' published schema; eCFR answers in the same form. */
import {
  address,
  answer,
  anything,
  count,
  flag,
  items,
  maybe,
  number,
  oneOf,
  record,
  records,
  text,
  time,
  words,
  type Returns,
} from '../../catalog/vocabulary/returns.ts'

const provenance = maybe(
  record('The origin of the text.', {
    is_official_edition: maybe(flag('Whether it is the official edition.')),
    ecfr_url: maybe(address('The rule at ecfr.gov.')),
    govinfo_source_url: maybe(address('The source at govinfo.gov.')),
    trust: maybe(
      record('The reliability of the text.', {
        disclaimer_code: maybe(text('The code of the disclaimer.')),
        citation_suitability: maybe(words('What the text is suitable for.')),
      }),
    ),
  }),
)

export const returns: Returns = {
  search: answer({
    results: records('The rules, best match first.', {
      citation: maybe(text('The citation, for regs/resolve.')),
      title: maybe(text('The heading.')),
      score: maybe(number('The relevance. Compare it only within one answer.')),
      snippet: maybe(text('A passage.')),
      url: maybe(address('The page of the rule.')),
    }),
    query: maybe(text('The words that were searched for.')),
    corpus: maybe(oneOf('The texts that were searched.', ['regulations', 'statutes', 'all'])),
    total: maybe(count('The number of matches.')),
    provenance,
  }),
  resolve: answer({
    citation: text('The citation.'),
    title: maybe(text('The heading.')),
    text: text('The wording.'),
    agency: maybe(text('The agency that issued the rule.')),
    source: maybe(
      record('Where the text is from.', {
        system: maybe(
          oneOf('The publication.', ['ecfr', 'govinfo', 'federal_register', 'olrc_uscode']),
        ),
        url: maybe(address('The page of the rule.')),
        retrieved_at: maybe(time('When the text was read.')),
      }),
    ),
    freshness: maybe(
      record('The date of the text.', {
        up_to_date_as_of: maybe(time('The text includes all changes until this day.')),
        status: maybe(text('Whether the text is current.')),
      }),
    ),
    recent_changes: maybe(items('The latest changes.', anything('A change.'))),
    provenance,
  }),
}
