/** From Signalbase's OpenAPI documents. */
import {
  address,
  answer,
  anything,
  count,
  either,
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
  type Returns,
} from '../../catalog/vocabulary/returns.ts'

const dated = {
  signalId: maybe(text("The vendor's id of the signal.")),
  signalType: maybe(text('The kind of signal.')),
  occurredAt: maybe(time('When the event happened.')),
  discoveredAt: maybe(time('When the vendor noticed it.')),
}
const company = {
  companyId: maybe(text("The vendor's id of the company.")),
  companyName: maybe(text('The name of the company.')),
  companyWebsite: maybe(address('The website of the company.')),
  companyLinkedin: maybe(address('The LinkedIn page of the company.')),
  companyIndustry: maybe(text('The industry.')),
  companyCountry: maybe(text('The country of the head office.')),
  companyEmployeeCount: maybe(
    either('The number of employees.', number('A number.'), text('A range.')),
  ),
  categories: maybe(items('The categories of the company.', anything('A category.'))),
}
const checked = {
  confidenceScore: maybe(number('How sure the vendor is of the event.')),
  verificationStatus: maybe(
    oneOf('Whether the vendor checked the event.', ['verified', 'unverified', 'pending']),
  ),
  sources: maybe(items('The pages that report the event.', anything('A page.'))),
}
const money = {
  amount: maybe(number('The sum, in the unit of `currency`.')),
  currency: maybe(text('The currency as an ISO 4217 code.')),
  announcedDate: maybe(time('When the event was announced.')),
}

function page(description: string, row: Parameters<typeof records>[1]) {
  return answer({
    success: maybe(flag('Whether the vendor accepted the request.')),
    data: records(description, row),
    pagination: maybe(
      record('The place of this page in the list.', {
        currentPage: maybe(count('The page number, from 1.')),
        totalPages: maybe(count('The number of pages.', 'pages')),
        totalCount: maybe(count('The number of all matches.', 'signals')),
        hasNextPage: maybe(flag('Whether a further page exists.')),
        hasPreviousPage: maybe(flag('Whether an earlier page exists.')),
      }),
    ),
    meta: maybe(
      record("The vendor's own count. The gateway's charge is in the envelope.", {
        endpoint: maybe(text('The path at the vendor.')),
        creditsUsed: maybe(number('The credits of the request.', 'credits')),
        creditsRemaining: maybe(number("The operator's credits that are left.", 'credits')),
      }),
    ),
  })
}

export const returns: Returns = {
  funding: page('The funding rounds.', {
    ...dated,
    ...company,
    roundType: maybe(text('The round, such as "seed" or "series a".')),
    roundFlavor: maybe(oneOf('The form of the round.', ['bridge', 'extension', 'secondary'])),
    ...money,
    investors: maybe(items('The investors.', anything('An investor.'))),
    ...checked,
  }),
  acquisitions: page('The acquisitions. The company is the one that was bought.', {
    ...dated,
    ...company,
    ...money,
    acquiringCompany: maybe(open('The company that bought it, with its name.')),
    percentage: maybe(number('The share that was bought.', 'percent')),
    ...checked,
  }),
  'job-changes': page('The people with a new job. The company is the new employer.', {
    ...dated,
    ...company,
    personName: maybe(text('The name of the person, or a part of it.')),
    personLinkedinUrl: maybe(address('The LinkedIn profile of the person.')),
    personCurrentTitle: maybe(text('The job title in the profile.')),
    newRole: maybe(text('The new job title.')),
    source: maybe(oneOf('Where the change was seen.', ['linkedin', 'press_release', 'other'])),
    ...checked,
  }),
  hiring: page('The open jobs.', {
    ...dated,
    ...company,
    jobUrl: maybe(address('The posting.')),
    title: maybe(text('The job title.')),
    description: maybe(text('The text of the posting.')),
    location: maybe(text('The place of the job.')),
    datePosted: maybe(time('When the job was posted.')),
    employmentType: maybe(text('The form of employment, such as "full-time".')),
    seniorityLevel: maybe(text('The rank, such as "senior".')),
    applicants: maybe(anything('The number of applicants.')),
  }),
  investors: page('The investors.', {
    ...dated,
    ...company,
    name: maybe(text('The name of the investor.')),
    type: maybe(
      oneOf('The kind of investor.', [
        'vc',
        'angel',
        'pe',
        'corporate',
        'government',
        'accelerator',
        'family_office',
        'hedge_fund',
        'crowdfunding',
      ]),
    ),
    website: maybe(address('The website of the investor.')),
    headquarters: maybe(text('The place of the head office.')),
    countries: maybe(anything('The countries of its investments: a JSON list inside a text.')),
    ticketSizeMin: maybe(number('The smallest investment, in the currency of the investor.')),
    ticketSizeMax: maybe(number('The largest investment, in the currency of the investor.')),
  }),
}
