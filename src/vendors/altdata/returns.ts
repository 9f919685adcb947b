/** From Akta's reference of company and news data. */
import {
  address,
  answer,
  anything,
  count,
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

const credits = maybe(
  number("The vendor's credits that the call used. The charge is in the envelope."),
)
const page = {
  status: maybe(oneOf('Whether the vendor answered.', ['success'])),
  limit: maybe(count('The most rows of a page.')),
  offset: maybe(count('The number of rows before this page.')),
  total: maybe(count('The number of all rows.')),
  credits_consumed: credits,
}
const section = (description: string) => maybe(open(description))

export const returns: Returns = {
  'company-enrich': answer({
    status: maybe(oneOf('Whether the vendor answered.', ['success'])),
    data: maybe(
      record('The requested sections. A section without data is absent or null.', {
        uuid: maybe(text("The vendor's id of the company.")),
        permalink: maybe(text("The vendor's name of the company, for `company`.")),
        firmographic: section('Name, website, industry, employees and places.'),
        business_model: section('What the company sells, its customers, and how it earns.'),
        company_assessment: section('Strengths and weaknesses.'),
        trust_signal: section('Certificates, awards and partners.'),
        company_hierarchy: section('Parent and subsidiaries.'),
        digital_presence: section('Websites, profiles and their traffic.'),
        financial_estimate: section('Estimated revenue and growth.'),
        location: section('The offices.'),
        management_profile: section('The managers with their careers.'),
        product_offering: section('The products.'),
        strategic_signal: section('Recent plans and changes.'),
        customer_profile: section('The customers.'),
        industry: section('The industries and markets.'),
        technology: section('The software that the company uses.'),
        funding_detail: section('The funding rounds.'),
        mna_and_investment: section('Acquisitions and investments.'),
      }),
    ),
    credits_consumed: credits,
  }),
  news: answer({
    ...page,
    data: maybe(
      records('The articles.', {
        title: maybe(text('The title.')),
        url: maybe(address('The article.')),
        publisher: maybe(text('The publisher.')),
        published_date: maybe(time('When it was published.')),
        type: maybe(anything('The kind of event.')),
        sentiment: maybe(oneOf('The tone.', ['positive', 'negative', 'neutral'])),
        news_score: maybe(oneOf('The importance.', ['High', 'Medium', 'Low'])),
        ai_summary: maybe(text('A summary written by a model.')),
        full_text: maybe(text('The whole text.')),
        image: maybe(address('The main image.')),
        countries: maybe(items('The countries that it is about.', anything('A country.'))),
        company_mentions: maybe(
          items('The companies that it names.', anything('A company: its name or an object.')),
        ),
      }),
    ),
  }),
  'employee-reviews': answer({
    ...page,
    data: maybe(
      records('The reviews, newest first.', {
        title: maybe(text('The title.')),
        rating: maybe(number('The rating, from 1 to 5.')),
        pros: maybe(text('What the author likes.')),
        cons: maybe(text('What the author dislikes.')),
        advice: maybe(text('Advice to the managers.')),
        date: maybe(time('When it was written.')),
        job_title: maybe(text("The author's job.")),
        location: maybe(text("The author's place of work.")),
        employment_status: maybe(text('Whether the author still works there.')),
        source: maybe(text('The website of the review.')),
        url: maybe(address('The review.')),
      }),
    ),
  }),
  'product-reviews': answer({
    ...page,
    data: maybe(
      records('The products with their reviews.', {
        product_id: maybe(text("The vendor's id of the product.")),
        name: maybe(text('The name.')),
        rating: maybe(number('The mean rating, from 1 to 5.')),
        review_count: maybe(count('The number of reviews.')),
        title: maybe(text('The title of a review.')),
        pros: maybe(text('What the author likes.')),
        cons: maybe(text('What the author dislikes.')),
        date: maybe(time('When it was written.')),
        reviews: maybe(items('The reviews.', anything('A review.'))),
        source: maybe(text('The website of the reviews.')),
        url: maybe(address('The product at that website.')),
      }),
    ),
  }),
}
