/**
 * Intents as agents and people write them, each with the actions that do it and the parameters that the intent
 * settles. `ask` names the field that must be asked for; null stands for what nothing in the catalog does.
 */
import type { Data } from '../../catalog/outcome.ts'

export type JudgedIntent = readonly [intent: string, actions: readonly string[] | null, params?: Data | { readonly ask: RegExp }]

const READERS = ['core/onescrape', 'scraping/scrape', 'semantic/contents', 'render/scrape', 'render2/scrape', 'cheapunblock/scrape', 'rag/extract', 'proxy/scrape', 'proxy/markdown', 'agentic/extract']
const SEARCHES = ['core/onesearch', 'semantic/search', 'indep/search', 'rag/search', 'cited/search', 'render/search', 'render2/search', 'agentic/search']
const NEWS = ['indep/news', 'globalnews/news', 'altdata/news', 'rag/search', 'core/onesearch', 'semantic/search', 'render2/search']

/** Judged on the whole catalog. A parameter given here must be in the call with this value; others may be there too. */
export const judgedIntents: readonly JudgedIntent[] = [
  // pages
  ['Read https://example.com/article', READERS],
  ['give me the text of example.com/pricing and example.org/faq', ['core/onescrape', 'semantic/contents', 'rag/extract', 'agentic/extract'], { urls: ['https://example.com/pricing', 'https://example.org/faq'] }],
  ['Could you please scrape https://shop.example.com/item/42 as html?', READERS],
  ['Take a screenshot of example.com', ['render/scrape', 'render2/scrape', 'scraping/scrape'], { url: 'https://example.com/', formats: ['screenshot'] }],
  ['list all pages of example.com', ['render/map', 'render2/map'], { url: 'https://example.com/' }],
  ['crawl docs.example.com, at most 30 pages', ['render/crawl', 'render2/crawl', 'core/onescrape-deep'], {}],
  ['get past the Cloudflare wall on https://blocked.example.com/', ['unblock/unblock', 'cheapunblock/scrape', 'core/onescrape-deep', 'core/onescrape'], {}],
  ['old versions of https://example.com/about in the wayback machine', ['webarchive/snapshots', 'webarchive/available', 'webarchive/fetch'], { url: 'https://example.com/about' }],
  ['read a web page', READERS, { ask: /url/ }],
  // searching
  ['search the web for how heat pumps work in winter', SEARCHES],
  ['I want to google "group commit postgres"', SEARCHES],
  ['what is the capital of Australia', [...SEARCHES, 'cited/deep-search', 'encyclopedia/page', 'encyclopedia/search']],
  ['answer with sources: when was PostgreSQL first released?', ['cited/search', 'rag/search', 'cited/deep-search', 'core/onesearch-deep']],
  ['news about Tesla from the last week', NEWS],
  ['latest headlines on semiconductor exports in Germany', NEWS],
  ['academic papers about CRISPR published since 2020, top 5', ['scholar/works', 'semantic/search', 'core/onesearch'], {}],
  ['wikipedia article on heat pumps', ['encyclopedia/page', 'encyclopedia/search']],
  ['find patents about solid state batteries since March 2021', ['patents/patents'], { date_gte: '2021-03-01' }],
  // people and companies
  ['find the work email of Jane Doe at stripe.com', ['emailintel/email-finder', 'emailasync/email-search', 'core/onefind-deep'], {}],
  ['is bob.smith@acme.io deliverable?', ['emailintel/email-verifier', 'contactfind/email-verify', 'emailasync/email-verification'], { email: 'bob.smith@acme.io' }],
  ['verify the e-mail address ana@example.org', ['emailintel/email-verifier', 'contactfind/email-verify', 'emailasync/email-verification'], { email: 'ana@example.org' }],
  ['who is behind bob@acme.com', ['contactfind/person-from-email', 'emailintel/enrich'], { email: 'bob@acme.com' }],
  ['contact data of https://www.linkedin.com/in/jane-doe with phone', ['contactfind/linkedin-contacts'], { profile: 'https://www.linkedin.com/in/jane-doe', include_phone: true }],
  ['phone number of bob@acme.com', ['emailintel/phone-finder', 'contactfind/person-from-email', 'deepenrich/person-enrich'], {}],
  ['find 20 marketing managers in Berlin, Germany', ['contactfind/people-search', 'core/onefind', 'core/onefind-deep'], {}],
  ['all email addresses at acme.com in the sales department', ['emailintel/domain-search', 'emailasync/domain-scan'], { domain: 'acme.com' }],
  ['companies similar to notion.so', ['companyfind/lookalikes', 'semantic/search'], {}],
  ['who wrote https://blog.example.com/post, and what is their email', ['emailintel/author-finder'], {}],
  ['find the email address of someone', ['emailintel/email-finder', 'emailasync/email-search', 'emailintel/linkedin-finder', 'contactfind/linkedin-contacts', 'core/onefind-deep'], { ask: /name|domain|company|profile|url|rows|query/ }],
  ['verify an email', ['emailintel/email-verifier', 'contactfind/email-verify', 'emailasync/email-verification'], { ask: /email/ }],
  ['10 job postings for data engineers in Germany from the last month', ['hiringdata/jobs', 'platform/linkedin-jobs'], {}],
  ['which technologies does stripe.com use', ['hiringdata/technographics', 'companyfind/tech-companies'], {}],
  ['companies that raised funding recently', ['signals/funding', 'fundingdb/deals']],
  ['employee reviews of Acme Corp', ['altdata/employee-reviews'], {}],
  // records
  ['SEC filings of CIK 320193', ['secfilings/filings'], { cik: '320193' }],
  ['full text search of 10-K filings mentioning heat pumps since 2024', ['secfilings/fulltext'], { startdt: '2024-01-01' }],
  ['lawsuits against Acme Corp', ['courts/dockets', 'courts/cases'], { party_name: 'Acme Corp' }],
  ['nonprofit with EIN 13-1837418', ['nonprofit/nonprofit'], {}],
  ['charities in Texas that run food banks', ['nonprofit/nonprofit_search'], {}],
  ['federal rules about drones since 2023', ['fedrules/search', 'regs/search'], {}],
  ['what does 40 CFR 60.1 say', ['regs/resolve', 'regs/search'], {}],
  ['what is the house at 123 Main Street, Austin, TX 78701 worth', ['proprecords/value-estimate', 'propdata/avm'], {}],
  ['homes for rent in zip 94107', ['proprecords/rental-listings'], {}],
  ['status of flight LH400', ['flights/flights'], { flight_iata: 'LH400' }],
  ['clinical trials for asthma', ['trials/search'], {}],
  ['google trends for electric cars', ['trends/fetch'], {}],
  // social, files, compute, media
  ['tiktok profile of @nasa', ['platform/tiktok-profile', 'socialread/fetch'], {}],
  ['comments of https://www.tiktok.com/@nasa/video/7301234567890123456', ['platform/tiktok-comments', 'socialread/fetch'], {}],
  ['followers of @elonmusk on twitter', ['socialread/fetch', 'platform/x-followers'], {}],
  ['reddit posts about rust', ['platform/reddit-search', 'socialread/fetch'], {}],
  ['price of $ETH', ['markets/fetch', 'cryptoagent/agent', 'datahub/fetch'], {}],
  ['transcript of https://www.youtube.com/watch?v=abc123', ['socialread/fetch'], {}],
  ['screen Ivan Petrov against sanctions', ['compliance/check'], {}],
  ['list my stored files', ['files/list']],
  ['store the file at https://example.com/report.csv', ['files/upload_from_url'], { url: 'https://example.com/report.csv' }],
  ['run a sandbox with python', ['sandbox/sandbox-create', 'boxa/create_session', 'boxb/create_session'], {}],
  ['open a cloud browser for 10 minutes', ['browser/create_session'], {}],
  ['generate an image of a red fox in the snow', ['media/generate'], {}],
  ['create an email inbox', ['inbox/create_inbox']],
  // several at once, and nothing
  ['Take a screenshot of example.com and check whether bob@acme.com is deliverable', ['render/scrape', 'render2/scrape', 'scraping/scrape', 'emailintel/email-verifier', 'contactfind/email-verify', 'emailasync/email-verification'], {}],
  ['order a pizza', null],
  ['book a table for two at a restaurant', null],
  ['water my plants every morning', null],
  ['iron my shirts', null],
  ['asdfgh qwertz', null],
]
