/** From TheirStack's OpenAPI document. */
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

const metadata = maybe(
  record('Facts about the list. Totals are null unless the call requests them.', {
    total_results: maybe(count('The number of all matches.', 'results')),
    truncated_results: maybe(count('Matches that the plan of the vendor hides.', 'results')),
    truncated_companies: maybe(count('Companies that the plan of the vendor hides.', 'companies')),
    total_companies: maybe(count('The number of companies with matches.', 'companies')),
  }),
)
const page = (description: string, row: Parameters<typeof records>[1]) =>
  answer({ metadata, data: records(description, row) })

const company = {
  id: maybe(text("The vendor's id of the company.")),
  name: maybe(text('The name of the company.')),
  domain: maybe(text('The domain of the company.')),
  url: maybe(address('The website of the company.')),
  linkedin_url: maybe(address('The LinkedIn page of the company.')),
  logo: maybe(address('The logo.')),
  industry: maybe(text('The industry.')),
  country: maybe(text('The country of the head office.')),
  country_code: maybe(text('That country as a two-letter code.')),
  city: maybe(text('The city of the head office.')),
  employee_count: maybe(count('The number of employees.', 'employees')),
  employee_count_range: maybe(text('The number of employees as a range.')),
  num_jobs: maybe(count('The number of postings that the vendor knows.', 'postings')),
  num_jobs_last_30_days: maybe(count('The number of postings of the last 30 days.', 'postings')),
  founded_year: maybe(count('The year of foundation.')),
  annual_revenue_usd: maybe(number('The yearly revenue.', 'USD')),
  total_funding_usd: maybe(number('The money raised so far.', 'USD')),
  last_funding_round_date: maybe(time('The date of the latest round.')),
  funding_stage: maybe(text('The latest round, such as "series_a".')),
  technology_slugs: maybe(words("The vendor's names of technologies that its postings mention.")),
  technology_names: maybe(words('The technologies that its postings mention.')),
  long_description: maybe(text('What the company does.')),
}
const found = {
  confidence: maybe(oneOf('How sure the use is.', ['low', 'medium', 'high'])),
  jobs: maybe(count('The number of postings that mention it.', 'postings')),
  jobs_last_30_days: maybe(count('The number of such postings of the last 30 days.', 'postings')),
  first_date_found: maybe(time('The date of the first such posting.')),
  last_date_found: maybe(time('The date of the latest such posting.')),
  rank: maybe(anything('The place among all that were found.')),
}
const named = (thing: string) => ({
  name: maybe(text(`The name of the ${thing}.`)),
  slug: maybe(text(`The vendor's id of the ${thing}, for filters.`)),
  category: maybe(text(`The category of the ${thing}.`)),
})

export const returns: Returns = {
  jobs: page('The postings.', {
    id: maybe(count("The vendor's id of the posting.")),
    job_title: maybe(text('The job title.')),
    normalized_title: maybe(text('The job title in common words.')),
    url: maybe(address('The posting.')),
    final_url: maybe(address('The posting on the site of the employer.')),
    source_url: maybe(address('The posting on a job board.')),
    date_posted: maybe(time('When the job was posted.')),
    discovered_at: maybe(time('When the vendor found the posting.')),
    company: maybe(text('The name of the employer.')),
    company_domain: maybe(text('The domain of the employer.')),
    location: maybe(text('The place of the job.')),
    short_location: maybe(text('The place in short.')),
    state_code: maybe(text('The state, for jobs in the United States.')),
    latitude: maybe(number('The latitude of the place.', 'degrees')),
    longitude: maybe(number('The longitude of the place.', 'degrees')),
    country: maybe(text('The country of the job.')),
    country_code: maybe(text('That country as a two-letter code.')),
    remote: maybe(flag('Whether the job can be done remotely.')),
    hybrid: maybe(flag('Whether the job is partly remote.')),
    seniority: maybe(oneOf('The rank.', ['c_level', 'staff', 'senior', 'mid_level', 'junior'])),
    employment_statuses: maybe(words('The forms of employment, such as "full_time".')),
    salary_string: maybe(text('The salary as the posting writes it.')),
    min_annual_salary_usd: maybe(number('The lowest yearly salary.', 'USD')),
    max_annual_salary_usd: maybe(number('The highest yearly salary.', 'USD')),
    salary_currency: maybe(text('The currency of the posting.')),
    description: maybe(text('The text of the posting.')),
    technology_slugs: maybe(words("The vendor's names of technologies in the posting.")),
    hiring_team: maybe(
      items('People who hire for the job, with name and profile.', anything('A person.')),
    ),
    company_object: maybe(record('The employer.', company)),
  }),
  companies: page('The companies.', {
    ...company,
    jobs_found: maybe(items('Postings that fit the filters.', anything('A posting.'))),
    technologies_found: maybe(
      items('Technologies that fit the filters.', anything('A technology.')),
    ),
  }),
  technographics: page('The technologies of the company, surest first.', {
    technology: maybe(
      record('The technology.', {
        ...named('technology'),
        category_slug: maybe(text("The vendor's id of the category.")),
        logo: maybe(address('The logo.')),
        one_liner: maybe(text('What the technology does.')),
        url: maybe(address('The website of the technology.')),
      }),
    ),
    ...found,
  }),
  'buying-intents': page('The topics that the company is likely to buy for.', {
    buying_intent: maybe(record('The topic.', named('topic'))),
    ...found,
  }),
}
