/** From Fundable's OpenAPI documents. */
import {
  address,
  answer,
  anything,
  count,
  flag,
  items,
  maybe,
  number,
  open,
  record,
  records,
  text,
  time,
  words,
  type Returns,
} from '../../catalog/vocabulary/returns.ts'

const meta = maybe(
  record('Facts about the list.', {
    total_count: maybe(count('The number of all matches.', 'results')),
    page: maybe(count('The page number, from 0.')),
    page_size: maybe(count('The size of a page.', 'results')),
    credits_used: maybe(
      number("The vendor's own count. The gateway's charge is in the envelope.", 'credits'),
    ),
    credit_source: maybe(text("The part of the operator's credit that was used.")),
    monthly_credits_remaining: maybe(number("The operator's monthly credit.", 'credits')),
    purchased_credits_remaining: maybe(number("The operator's bought credit.", 'credits')),
  }),
)
const success = maybe(flag('Whether the vendor accepted the request.'))
const deal = {
  id: maybe(text('The id of the deal, for fundingdb/deal-investors.')),
  round_type: maybe(text('The round, such as "SEED" or "SERIES_A".')),
  pre: maybe(flag('Whether the round came before one of this type.')),
  extension: maybe(flag('Whether the round extends an earlier one.')),
  intermediate: maybe(flag('Whether the round lies between two types.')),
  date: maybe(time('When the deal was announced.')),
  created_at: maybe(time('When the vendor recorded the deal.')),
  company_id: maybe(text("The vendor's id of the company.")),
  company: maybe(open('The company.')),
  total_round_raised: maybe(number('The money of the round.', 'USD')),
  financings: maybe(
    records('The parts of the round.', {
      type: maybe(text('The kind of financing, such as "SEED" or "SAFE".')),
      size_usd: maybe(number('The money of this part.', 'USD')),
      currency: maybe(text('The currency that was announced, as an ISO 4217 code.')),
    }),
  ),
  investor_ids: maybe(words("The vendor's ids of the investors.")),
  angel_investor_ids: maybe(words("The vendor's ids of the private investors.")),
  valuation: maybe(open('The value of the company in the deal.')),
  deal_descriptions: maybe(open('The deal in words.')),
  articles: maybe(items('The articles that report the deal.', anything('An article.'))),
}
const deals = answer({
  success,
  data: maybe(record('The answer.', { deals: maybe(records('The deals.', deal)) })),
  meta,
})
const profile = {
  id: maybe(text("The vendor's id.")),
  name: maybe(text('The name.')),
  domain: maybe(text('The domain.')),
  linkedin: maybe(address('The LinkedIn page.')),
  crunchbase: maybe(address('The Crunchbase page.')),
}

export const returns: Returns = {
  deals,
  'investor-deals': deals,
  'deal-investors': answer({
    success,
    data: maybe(
      record('The answer.', {
        investors: maybe(
          records('The firms that invested.', {
            ...profile,
            lead_investor: maybe(flag('Whether the firm led the round.')),
            financing_type: maybe(text('The kind of financing, such as "SEED".')),
            personnel: maybe(items('The people of the firm.', anything('A person.'))),
          }),
        ),
        angel_investors: maybe(
          records('The private investors.', {
            ...profile,
            lead_investor: maybe(flag('Whether the person led the round.')),
            financing_type: maybe(text('The kind of financing.')),
          }),
        ),
      }),
    ),
    meta,
  }),
  'company-search': answer({
    success,
    data: maybe(
      record('The answer.', {
        companies: maybe(
          records('The companies, best match first.', {
            ...profile,
            short_description: maybe(text('What the company does, in one line.')),
            relevance_score: maybe(number('How well the company fits the search.')),
          }),
        ),
      }),
    ),
    meta,
  }),
}
