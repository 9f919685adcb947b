import { Type } from '../../lib/schema.ts'
import { choice, flag, isoDate, list, optional } from '../../catalog/vocabulary/fields.ts'
import type { Actor } from './actor.ts'

const PRICED = 'Rate of the actor per result on a mid-size plan, 2026-09.'
const ESTIMATED = 'Estimated from actors of the same family, 2026-11.'
const REDDIT =
  'Rate of the actor, $3.40 per 1000 results and $0.02 per run, spread over 13 results, 2026-09.'

const words = (description: string) =>
  optional(list(description, Type.String({ minLength: 1, maxLength: 300 }), 20))
const postedLimit = optional(choice('Maximum age of the posts.', ['1h', '24h', 'week', 'month']))

export const linkedinAndX: Readonly<Record<string, Actor>> = {
  'linkedin-profile-posts': {
    actor: 'harvestapi/linkedin-profile-posts',
    title: 'LinkedIn posts of people',
    summary: 'Get the latest LinkedIn posts of people.',
    keywords: ['linkedin posts', 'profile activity', 'what somebody posted'],
    asks: {
      name: 'targetUrls',
      kind: 'address',
      description: 'URLs of LinkedIn profiles.',
      example: 'https://www.linkedin.com/in/ana-example',
    },
    limit: { field: 'maxPosts', per: 'entry' },
    rate: '0.15',
    startCents: '0.005',
    priceSource: PRICED,
    options: { postedLimit },
  },
  'linkedin-company-posts': {
    actor: 'harvestapi/linkedin-company-posts',
    title: 'LinkedIn posts of companies',
    summary: 'Get the latest LinkedIn posts of companies.',
    keywords: ['linkedin company posts', 'company news', 'brand posts'],
    asks: {
      name: 'targetUrls',
      kind: 'address',
      description: 'URLs of LinkedIn company pages.',
      example: 'https://www.linkedin.com/company/google',
    },
    limit: { field: 'maxPosts', per: 'entry' },
    rate: '0.15',
    startCents: '0.005',
    priceSource: PRICED,
    options: { postedLimit },
  },
  'linkedin-jobs': {
    actor: 'harvestapi/linkedin-job-search',
    title: 'LinkedIn job search',
    summary: 'Find job postings on LinkedIn by title and place.',
    keywords: ['linkedin jobs', 'job postings', 'open positions', 'vacancies', 'hiring'],
    asks: {
      name: 'jobTitles',
      kind: 'text',
      description: 'Job titles to search for.',
      example: 'Data Engineer',
    },
    limit: { field: 'maxItems', per: 'entry' },
    times: 'locations',
    rate: '0.12',
    startCents: '1',
    priceSource:
      'Estimated from actors of the same family, $1 per 1000 jobs and a start of at most a cent, spread over 50 results, 2026-11.',
    options: {
      locations: words('Places. Each title is searched in each place.'),
      postedLimit,
      workplaceType: optional(
        list('On-site, remote or hybrid work.', Type.Enum(['office', 'hybrid', 'remote']), 3, {
          uniqueItems: true,
        }),
      ),
      sortBy: optional(choice('Order of the results.', ['relevance', 'date'])),
    },
  },
  'linkedin-profile-search': {
    actor: 'harvestapi/linkedin-profile-search',
    title: 'LinkedIn people search',
    summary: 'Find people on LinkedIn by words, places, titles and companies.',
    keywords: ['people search', 'linkedin search', 'prospects', 'leads', 'find people'],
    asks: {
      name: 'searchQuery',
      kind: 'text',
      single: true,
      description: 'Words to search for, such as a role or a name.',
      example: 'Head of Procurement',
    },
    limit: { field: 'maxItems', per: 'run' },
    // The vendor bills a whole page of 25 in addition to each profile. This rate covers 25 full
    // profiles on the most expensive plan and 11 on the cheapest.
    rate: '0.8',
    pageSize: 25,
    priceSource:
      'Rate of the actor, five to ten cents per page of 25 and 0.32 to 0.4 cents per full profile, by plan, 2026-09.',
    options: {
      profileScraperMode: choice(
        'Short returns the data of the search results, Full the whole profile.',
        ['Short', 'Full'],
        { default: 'Short' },
      ),
      locations: words('Places where the people live.'),
      currentJobTitles: words('Current job titles.'),
      currentCompanies: words('URLs of the LinkedIn pages of their companies.'),
    },
  },
  'linkedin-post-search': {
    actor: 'harvestapi/linkedin-post-search',
    title: 'LinkedIn post search',
    summary: 'Search LinkedIn posts by words.',
    keywords: ['linkedin posts', 'post search', 'social listening', 'mentions'],
    asks: {
      name: 'searchQueries',
      kind: 'text',
      description: 'Search words. AND, OR, NOT and quotes work.',
      example: '"hiring" "data engineer"',
    },
    limit: { field: 'maxPosts', per: 'entry' },
    rate: '0.2',
    priceSource: 'Rate of the actor, $1.50 to $2 per 1000 posts, 2026-10.',
    options: {
      postedLimit,
      sortBy: optional(choice('Order of the results.', ['relevance', 'date'])),
    },
  },
  'linkedin-user-posts': {
    actor: 'apimaestro/linkedin-profile-posts',
    title: 'LinkedIn posts of a person with reactions',
    summary: 'Get the LinkedIn posts of a person, page by page, with the count of each reaction.',
    keywords: ['linkedin posts', 'reactions', 'engagement of a profile'],
    asks: {
      name: 'username',
      kind: 'handle',
      single: true,
      description: 'Handle or URL of the profile.',
      example: 'ana-example',
    },
    limit: { field: 'total_posts', per: 'run' },
    rate: '0.5',
    priceSource: PRICED,
  },
  'linkedin-profile': {
    actor: 'dev_fusion/linkedin-profile-scraper',
    title: 'LinkedIn profiles',
    summary: 'Read full LinkedIn profiles by URL, with an email address if one is known.',
    keywords: ['linkedin profile', 'profile data', 'work history', 'enrich a profile'],
    asks: {
      name: 'profileUrls',
      kind: 'address',
      description: 'URLs of LinkedIn profiles.',
      example: 'https://www.linkedin.com/in/ana-example',
    },
    limit: 'one per entry',
    rate: '1',
    priceSource: PRICED,
  },
  'x-search': {
    actor: 'apidojo/tweet-scraper',
    title: 'X (Twitter) post search',
    summary: 'Search posts on X (Twitter) by words, people and dates.',
    keywords: ['twitter search', 'tweets by keyword', 'x posts', 'social listening', 'mentions'],
    asks: {
      name: 'searchTerms',
      kind: 'text',
      description: 'Search words. The search operators of X work.',
      example: 'postgres from:planetscale',
    },
    limit: { field: 'maxItems', per: 'run' },
    leastPerEntry: 50,
    rate: '0.04',
    priceSource:
      'Rate of the actor, $0.40 per 1000 posts and at least 50 per query, paid plans only, 2026-10.',
    options: {
      sort: optional(choice('Order of the results.', ['Latest', 'Top'])),
      start: optional(isoDate('Posted on or after this day.')),
      end: optional(isoDate('Posted on or before this day.')),
    },
  },
  'x-followers': {
    actor: 'kaitoeasyapi/premium-x-follower-scraper-following-data',
    title: 'X (Twitter) followers',
    summary: 'List the followers of accounts on X (Twitter).',
    keywords: ['twitter followers', 'audience', 'follower list'],
    asks: {
      name: 'user_names',
      kind: 'handle',
      description: 'Account handles.',
      example: 'nasa',
    },
    limit: { field: 'maxFollowers', per: 'entry' },
    leastPerEntry: 200,
    rate: '0.015',
    priceSource: PRICED,
    fixed: { getFollowers: true, getFollowing: false, maxFollowings: 200 },
  },
  reddit: {
    actor: 'trudax/reddit-scraper-lite',
    title: 'Reddit posts and comments by URL',
    summary: 'Read Reddit posts and comments by URL.',
    keywords: ['reddit posts', 'subreddit', 'reddit thread', 'community'],
    asks: {
      name: 'startUrls',
      kind: 'start address',
      description: 'URLs of subreddits, users or posts.',
      example: 'https://www.reddit.com/r/PostgreSQL/',
    },
    limit: { field: 'maxItems', per: 'run' },
    rate: '0.5',
    startCents: '2',
    priceSource: REDDIT,
    options: { skipComments: optional(flag('Omits comments.')) },
  },
  'reddit-search': {
    actor: 'trudax/reddit-scraper-lite',
    title: 'Reddit post search',
    summary: 'Search Reddit posts by words.',
    keywords: ['reddit search', 'community', 'what people say', 'social listening'],
    asks: {
      name: 'searches',
      kind: 'text',
      description: 'Search words.',
      example: 'postgres vs mysql',
    },
    limit: { field: 'maxItems', per: 'run' },
    rate: '0.5',
    startCents: '2',
    priceSource: REDDIT,
    options: {
      sort: optional(
        choice('Order of the results.', ['relevance', 'hot', 'top', 'new', 'comments']),
      ),
    },
  },
  'reddit-comments': {
    actor: 'crawlerbros/reddit-comment-scraper',
    title: 'Reddit comments',
    summary: 'Get the comments on Reddit posts.',
    keywords: ['reddit comments', 'discussion', 'thread'],
    asks: {
      name: 'postUrls',
      kind: 'address',
      description: 'URLs of posts.',
      example: 'https://www.reddit.com/r/PostgreSQL/comments/abc123/example/',
    },
    limit: { field: 'maxComments', per: 'entry' },
    rate: '0.3',
    priceSource: ESTIMATED,
  },
}
