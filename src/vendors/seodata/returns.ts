/** From SpyFu's OpenAPI documents. */
import {
  address,
  answer,
  anything,
  count,
  items,
  maybe,
  number,
  openAnswer,
  records,
  text,
  type Returns,
} from '../../catalog/vocabulary/returns.ts'
import type { TProperties } from '../../lib/schema.ts'

const term = maybe(text('The search term.'))
const domain = maybe(text('The domain.'))
const usd = (description: string) => maybe(number(description, 'USD'))
const monthly = (description: string) => maybe(number(`${description} per month.`))
const rank = maybe(number('The place in the results of Google, from 1.'))

const stats = {
  searchMonth: maybe(count('The month of the statistics, from 1.')),
  searchYear: maybe(count('The year of the statistics.')),
  averageOrganicRank: maybe(number('The average place in the free results.')),
  monthlyPaidClicks: monthly('The estimated clicks on ads'),
  averageAdRank: maybe(number('The average place of the ads.')),
  totalOrganicResults: maybe(count('The number of terms with a free result.', 'terms')),
  monthlyBudget: usd('The estimated cost of ads per month.'),
  monthlyOrganicValue: usd('The cost of ads for the same free clicks per month.'),
  totalAdsPurchased: maybe(count('The number of terms with an ad.', 'terms')),
  monthlyOrganicClicks: monthly('The estimated clicks on free results'),
  strength: maybe(number('The strength of the domain, from 0 to 100.')),
  totalInverseRank: maybe(number("The vendor's measure of all places together.")),
}
const keyword = {
  keyword: term,
  searchVolume: maybe(number('The searches per month.', 'searches')),
  rankingDifficulty: maybe(number('How hard a good place is, from 0 to 100.')),
  keywordDifficulty: maybe(number('How hard a good place is, from 0 to 100.')),
  totalMonthlyClicks: monthly('The clicks of all searches'),
  percentMobileSearches: maybe(number('The share of searches on phones, from 0 to 1.')),
  percentDesktopSearches: maybe(number('The share of searches on computers, from 0 to 1.')),
  percentNotClicked: maybe(number('The share of searches without a click, from 0 to 1.')),
  percentPaidClicks: maybe(number('The share of clicks on ads, from 0 to 1.')),
  percentOrganicClicks: maybe(number('The share of clicks on free results, from 0 to 1.')),
  broadCostPerClick: usd('The price of a click for similar searches.'),
  phraseCostPerClick: usd('The price of a click for searches with the term.'),
  exactCostPerClick: usd('The price of a click for exactly this search.'),
  broadMonthlyCost: usd('The cost of an ad for similar searches per month.'),
  phraseMonthlyCost: usd('The cost of an ad for searches with the term per month.'),
  exactMonthlyCost: usd('The cost of an ad for exactly this search per month.'),
  paidCompetitors: maybe(items('The domains with an ad.', anything('A domain.'))),
  rankingHomepages: maybe(number('The number of front pages in the results.', 'pages')),
}
const ranked = {
  ...keyword,
  topRankedUrl: maybe(address('The page with the best place.')),
  rank,
  rankChange: maybe(number('The change of the place since the last month.')),
  seoClicks: monthly('The estimated clicks on the free result'),
  seoClicksChange: maybe(number('The change of these clicks since the last month.')),
  domain,
}
const competitor = {
  domain,
  commonTerms: maybe(number('The number of terms that both have.', 'terms')),
  rank: maybe(number("The vendor's measure of the overlap.")),
}

function page(rows: string, fields: TProperties) {
  return answer({
    resultCount: maybe(count('The number of rows of this page.', 'rows')),
    totalMatchingResults: maybe(count('The number of all rows.', 'rows')),
    domain: maybe(text('The domain of the call.')),
    results: maybe(records(rows, fields)),
  })
}
const domainStats = page('The statistics by month.', stats)
const seoKeywords = page('The terms with a free result.', ranked)
const keywords = page('The terms.', keyword)
const competitors = page('The competitors, nearest first.', competitor)
const seo = '/apis/serp_api/v2/seo'

export const returns: Returns = {
  query: openAnswer(
    'A page of rows, except for a few endpoints. The descriptor of an endpoint lists the fields of its rows.',
    {
      resultCount: maybe(count('The number of rows of this page.', 'rows')),
      totalMatchingResults: maybe(count('The number of all rows.', 'rows')),
      results: maybe(items('The rows.', anything('A row.'))),
    },
  ),
  'query /apis/domain_stats_api/v2/getLatestDomainStats': domainStats,
  'query /apis/domain_stats_api/v2/getAllDomainStats': domainStats,
  'query /apis/domain_stats_api/v2/getDomainStatsForExactDate': domainStats,
  'query /apis/competitors_api/v2/seo/getTopCompetitors': competitors,
  'query /apis/competitors_api/v2/ppc/getTopCompetitors': competitors,
  'query /apis/keyword_api/v2/related/getRelatedKeywords': keywords,
  'query /apis/keyword_api/v2/related/getQuestionKeywords': keywords,
  'query /apis/keyword_api/v2/related/getTransactionKeywords': keywords,
  'query /apis/keyword_api/v2/related/getKeywordInformation': keywords,
  'query /apis/keyword_api/v2/ppc/getMostSuccessful': keywords,
  'query /apis/keyword_api/v2/ppc/getNewKeywords': keywords,
  ...Object.fromEntries(
    [
      'getSeoKeywords',
      'getMostValuableKeywords',
      'getNewlyRankedKeywords',
      'getGainedRanksKeywords',
      'getLostRanksKeywords',
      'getGainedClicksKeywords',
      'getLostClicksKeywords',
      'getJustMadeItKeywords',
      'getJustFellOffKeywords',
    ].map((name) => [`query ${seo}/${name}`, seoKeywords]),
  ),
  [`query ${seo}/getSerpAnalysisKeywords`]: page('The free results for the term.', {
    ...ranked,
    url: maybe(address('The page.')),
    title: maybe(text('The title of the page.')),
  }),
  [`query ${seo}/getTopPages`]: page('The pages, most clicks first.', {
    url: maybe(address('The page.')),
    title: maybe(text('The title of the page.')),
    keywordCount: maybe(count('The number of terms with this page in the results.', 'terms')),
    estMonthlySeoClicks: monthly('The estimated clicks on the free result'),
    topKeyword: maybe(text('The term with the most clicks.')),
  }),
}
