/** From OpenFunnel's API reference. */
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
  open,
  openAnswer,
  record,
  records,
  text,
  time,
  words,
  type Returns,
} from '../../catalog/vocabulary/returns.ts'

const credits = maybe(
  number("The vendor's own count. The gateway's charge is in the envelope.", 'credits'),
)
const states = [
  'pending',
  'running',
  'pausing',
  'paused',
  'cancelling',
  'cancelled',
  'completed',
  'failed',
]
const company = {
  name: maybe(text('The name of the company.')),
  domain: maybe(text('The domain of the company.')),
  linkedin_url: maybe(address('The LinkedIn page of the company.')),
  headquarters: maybe(text('The place of the head office.')),
  company_size: maybe(text('The number of employees as a range.')),
  employee_count: maybe(count('The number of employees.', 'employees')),
  funding_stage: maybe(text('The latest round, such as "Series A".')),
  industries: maybe(words('The industries.')),
  match_reason: maybe(text('Why the company fits the search.')),
  match_score: maybe(number('How well the company fits, from 0 to 1.')),
}
const manifest = maybe(
  record('The progress of the search.', {
    pages: maybe(count('The number of pages with results.', 'pages')),
    page_size: maybe(count('The size of a page.', 'companies')),
    count: maybe(count('The number of delivered companies.', 'companies')),
    unique_count: maybe(count('The number of different delivered companies.', 'companies')),
    companies_scanned: maybe(count('tech-intent: the companies read so far.', 'companies')),
    companies_qualified: maybe(count('tech-intent: the companies with the intent.', 'companies')),
    total_companies_matched: maybe(
      count('tech-intent: the companies that use the technology.', 'companies'),
    ),
    credits_consumed: credits,
    partial: maybe(flag('Whether results are missing.')),
    stop_reason: maybe(text('Why the search ended early.')),
  }),
)
const jobResult = answer({
  status: oneOf('How the search ended.', ['completed', 'cancelled', 'failed']),
  manifest,
  stopped_at: maybe(text('The parameter whose limit ended the search.')),
})
const verdict = (description: string, counts: Parameters<typeof record>[1]) =>
  maybe(
    record(description, {
      question: maybe(text('The question of the call.')),
      qualified: maybe(flag('Whether the answer is yes.')),
      answer: maybe(text('The answer in words.')),
      ...counts,
      sources: maybe(items('The pages behind the answer.', anything('A page.'))),
      error: maybe(anything('Why the question was not answered.')),
    }),
  )

export const returns: Returns = {
  lookalikes: answer({
    query: maybe(text('The description of the call.')),
    results: records('The companies, best match first.', company),
    total: maybe(count('The number of returned companies.', 'companies')),
    credits_consumed: credits,
    derived_query: maybe(text('The description that the vendor derived from the given domains.')),
    resolved_seed_domains: maybe(words('The given domains that the vendor knows.')),
    unresolved_seed_domains: maybe(words('The given domains that the vendor does not know.')),
  }),
  'lookalikes-bulk': jobResult,
  'tam-build': jobResult,
  'tech-intent': jobResult,
  'tech-companies': answer({
    tech: maybe(text('The technology of the call.')),
    page: maybe(count('The page number, from 1.')),
    page_size: maybe(count('The size of a page.', 'companies')),
    total_results: maybe(count('The number of companies after the filters.', 'companies')),
    has_more: maybe(flag('Whether a further page exists.')),
    total_companies_matched: maybe(
      count('The number of companies that mention the technology.', 'companies'),
    ),
    companies: records('The companies of this page.', {
      company_slug: maybe(text("The vendor's id of the company.")),
      company_name: maybe(text('The name of the company.')),
      post_count: maybe(count('The number of postings that mention it.', 'postings')),
      first_posted_at: maybe(time('The date of the first such posting.')),
      last_posted_at: maybe(time('The date of the latest such posting.')),
      website: maybe(address('The website of the company.')),
      linkedin_url: maybe(address('The LinkedIn page of the company.')),
      employee_count: maybe(count('The number of employees.', 'employees')),
      evidence: maybe(items('The postings, if requested.', anything('A posting.'))),
    }),
    credits_consumed: credits,
    cached: maybe(flag('Whether the vendor answered from an earlier search.')),
  }),
  'deep-research': answer({
    domain: maybe(text('The domain of the company.')),
    latency_ms: maybe(number('The time that the vendor needed.', 'milliseconds')),
    company: maybe(open('Facts about the company.')),
    activity: verdict('The answer to activity_question. Null without the question.', {
      jobs_searched: maybe(count('The number of postings that were read.', 'postings')),
      jobs_matched: maybe(count('The number of postings that support it.', 'postings')),
      confidence: maybe(anything('How sure the answer is.')),
    }),
    qualifier: verdict('The answer to qualifier_question. Null without the question.', {
      detailed_reasoning: maybe(text('How the vendor came to the answer.')),
      people_evaluated: maybe(anything('The people that were considered.')),
    }),
    credits_consumed: credits,
  }),
  'lookup-companies': answer({
    results: maybe(
      records('A line per company of the call, in the same order.', {
        input: maybe(open('The company of the call.')),
        status: maybe(oneOf('Whether the company is known.', ['resolved', 'not_found'])),
        matches: maybe(
          records('The companies that fit, best match first.', {
            company_id: maybe(text("The vendor's id of the company.")),
            name: maybe(text('The name of the company.')),
            domain: maybe(text('The domain of the company.')),
            linkedin_url: maybe(address('The LinkedIn page of the company.')),
            employee_count_min: maybe(count('The fewest employees.', 'employees')),
            employee_count_max: maybe(count('The most employees.', 'employees')),
            stage: maybe(text('The latest funding round.')),
            industries: maybe(words('The industries.')),
            score: maybe(number('How well the company fits, from 0 to 1.')),
          }),
        ),
      }),
    ),
  }),
  options: openAnswer('The values that the filters accept.', {
    options: maybe(
      records('The values.', {
        code: maybe(text('The value of the parameter, such as "FRA".')),
        name: maybe(text('The value in words.')),
      }),
    ),
  }),
  balance: openAnswer('The credit of the operator at the vendor.', {
    credits_remaining: maybe(number('The credit that is left.', 'credits')),
  }),
  results: answer({
    job_id: maybe(text('The id of the call.')),
    vendor_job_id: maybe(text("The vendor's id of the job, if it differs.")),
    status: maybe(oneOf('The state of the job.', states)),
    manifest,
    rows: maybe(
      records('The companies of this page.', {
        ...company,
        intent: maybe(
          record('tech-intent: the activity that was found.', {
            activity: maybe(text('The activity of the call.')),
            reason: maybe(text('Why the company shows it.')),
            qualified_job: maybe(open('The posting that shows it.')),
          }),
        ),
      }),
    ),
    next_cursor: maybe(
      text('The value of `cursor` for the next page. Null if the job has no further rows yet.'),
    ),
    processed: maybe(count('The number of companies read so far.', 'companies')),
    error_message: maybe(text('Why the job failed.')),
  }),
  'job-control': answer({
    job_id: maybe(text('The id of the call.')),
    vendor_job_id: maybe(text("The vendor's id of the job, if it differs.")),
    status: maybe(oneOf('The state of the job.', states)),
  }),
}
