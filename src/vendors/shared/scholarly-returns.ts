/** Works and authors, from the API reference of OpenAlex. Lists of the vendor can be longer than shown here. */
import {
  address,
  answer,
  count,
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
} from '../../catalog/vocabulary/returns.ts'

const id = (thing: string) => maybe(address(`The OpenAlex id of the ${thing}, a URL.`))
const name = (thing: string) => maybe(text(`The name of the ${thing}.`))
const cited = maybe(count('How often other works cite it.', 'citations'))
const perYear = maybe(
  records('Works and citations of the last years.', {
    year: maybe(count('The year.')),
    works_count: maybe(count('The works of that year.', 'works')),
    cited_by_count: maybe(count('The citations in that year.', 'citations')),
  }),
)
const institution = {
  id: id('institution'),
  display_name: name('institution'),
  ror: maybe(address('The institution in the Research Organization Registry.')),
  country_code: maybe(text('The country as a two-letter code.')),
  type: maybe(text('The kind of institution, such as "education".')),
}
const place = {
  is_oa: maybe(flag('Whether this version is free to read.')),
  landing_page_url: maybe(address('The page of the work there.')),
  pdf_url: maybe(address('The PDF there.')),
  license: maybe(text('The license, such as "cc-by".')),
  version: maybe(
    oneOf('The version of the text.', ['submittedVersion', 'acceptedVersion', 'publishedVersion']),
  ),
  source: maybe(
    record('The journal, conference or repository.', {
      id: id('source'),
      display_name: name('source'),
      issn_l: maybe(text('The linking ISSN.')),
      type: maybe(text('The kind of source, such as "journal".')),
      host_organization_name: maybe(text('The publisher.')),
    }),
  ),
}
const location = (description: string) => maybe(record(description, place))
const work = {
  id: address('The OpenAlex id of the work, a URL.'),
  doi: maybe(address('The DOI as a URL.')),
  title: maybe(text('The title.')),
  display_name: maybe(text('The title.')),
  publication_year: maybe(count('The year of publication.')),
  publication_date: maybe(time('The day of publication.')),
  type: maybe(text('The kind of work, such as "article" or "book".')),
  language: maybe(text('The language as a two-letter code.')),
  abstract: maybe(text('The abstract. The gateway builds it from abstract_inverted_index.')),
  abstract_inverted_index: maybe(open('The words of the abstract with their positions.')),
  authorships: maybe(
    records('The authors in the order of the work.', {
      author_position: maybe(oneOf('The place of the author.', ['first', 'middle', 'last'])),
      author: maybe(
        record('The author.', {
          id: id('author'),
          display_name: name('author'),
          orcid: maybe(address('The ORCID as a URL.')),
        }),
      ),
      institutions: maybe(records('The institutions of the author at that time.', institution)),
      is_corresponding: maybe(flag('Whether the author is the contact of the work.')),
      raw_affiliation_strings: maybe(words('The affiliations as the work prints them.')),
    }),
  ),
  primary_location: location('The place of the version of record.'),
  best_oa_location: location('The best place to read the work free of charge.'),
  open_access: maybe(
    record('Whether and where the work is free to read.', {
      is_oa: maybe(flag('Whether a free version exists.')),
      oa_status: maybe(
        oneOf('The kind of access.', ['diamond', 'gold', 'green', 'hybrid', 'bronze', 'closed']),
      ),
      oa_url: maybe(address('The best free version.')),
    }),
  ),
  cited_by_count: cited,
  referenced_works_count: maybe(count('How many works it cites.', 'works')),
  referenced_works: maybe(words('The OpenAlex ids of works that it cites.')),
  related_works: maybe(words('The OpenAlex ids of similar works.')),
  primary_topic: maybe(open('The main topic with its field and domain.')),
  topics: maybe(items('The topics, best match first.', open('A topic.'))),
  keywords: maybe(items('The keywords, best match first.', open('A keyword with its score.'))),
  ids: maybe(open('The work in other registries, such as PubMed.')),
  biblio: maybe(open('Volume, issue and pages.')),
  counts_by_year: perYear,
  relevance_score: maybe(number('How well the work fits the search. Absent without one.')),
  is_retracted: maybe(flag('Whether the work was retracted.')),
  updated_date: maybe(time('When the record last changed.')),
}
const author = {
  id: address('The OpenAlex id of the author, a URL.'),
  orcid: maybe(address('The ORCID as a URL.')),
  display_name: name('author'),
  display_name_alternatives: maybe(words('Other spellings of the name.')),
  works_count: maybe(count('The number of works.', 'works')),
  cited_by_count: cited,
  summary_stats: maybe(
    record('Measures of impact.', {
      h_index: maybe(count('The h-index.')),
      i10_index: maybe(count('The number of works with at least ten citations.', 'works')),
      '2yr_mean_citedness': maybe(number('The mean citations of the last two years.')),
    }),
  ),
  last_known_institutions: maybe(records('The latest known institutions.', institution)),
  affiliations: maybe(items('The institutions over time.', open('An institution with years.'))),
  topics: maybe(items('The topics of the author.', open('A topic.'))),
  counts_by_year: perYear,
  works_api_url: maybe(address('The query for the works of the author at OpenAlex.')),
  relevance_score: maybe(number('How well the author fits the search. Absent without one.')),
}
const meta = maybe(
  record('Facts about the list.', {
    count: maybe(count('The number of all matches.', 'results')),
    page: maybe(count('The page number, from 1.')),
    per_page: maybe(count('The size of a page.', 'results')),
    next_cursor: maybe(text('The value of `cursor` for the next page.')),
  }),
)
const groups = maybe(items('Empty unless the query groups.', open('A group.')))

export const works = answer({
  meta,
  results: records('The works.', work),
  group_by: groups,
})
export const oneWork = answer(work)
export const authors = answer({
  meta,
  results: records('The authors.', author),
  group_by: groups,
})
