/** What the product promises of its actions: names, prices in the descriptor's words, parameters, limits, billing. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cents } from '../lib/money.ts'
import type { Action } from './define.ts'
import { createCatalog } from './index.ts'
import type { Data } from './outcome.ts'
import { worstCase } from './price.ts'
import { billingBlock } from './published/billing-block.ts'
import { inputSchema, type JsonSchema } from './published/json-schema.ts'
import { priceText } from './published/price-block.ts'
import { requiredParams } from './published/required-params.ts'

const catalog = createCatalog()

function actionOf(id: string): Action {
  const [service = '', name = ''] = id.split('/')
  return catalog.findAction(service, name).action
}

const PROXY = 'url! browser wait_for_selector js_snippet proxy_country timeout cookies return_page_source'
const CITED = 'q! outputType structuredOutputSchema fromDate toDate includeDomains excludeDomains includeImages includeInlineCitations'

/** A scraper, its cents per result, and the parameter that says what is wanted. */
const SCRAPERS: readonly (readonly [name: string, rate: string, asks: string])[] = [
  ['linkedin-profile-posts', '0.15', 'targetUrls'],
  ['linkedin-company-posts', '0.15', 'targetUrls'],
  ['linkedin-jobs', '0.12', 'jobTitles'],
  ['linkedin-profile-search', '0.8', 'searchQuery'],
  ['linkedin-post-search', '0.2', 'searchQueries'],
  ['linkedin-user-posts', '0.5', 'username'],
  ['linkedin-profile', '1', 'profileUrls'],
  ['x-search', '0.04', 'searchTerms'],
  ['x-followers', '0.015', 'user_names'],
  ['reddit', '0.5', 'startUrls'],
  ['reddit-search', '0.5', 'searches'],
  ['reddit-comments', '0.3', 'postUrls'],
  ['instagram-profiles', '0.16', 'usernames'],
  ['instagram-posts', '0.23', 'username'],
  ['instagram-hashtag', '0.26', 'hashtags'],
  ['instagram-comments', '0.23', 'postUrls'],
  ['tiktok-hashtag', '0.4', 'hashtags'],
  ['tiktok-search', '0.04', 'keywords'],
  ['tiktok-videos', '0.4', 'postURLs'],
  ['tiktok-comments', '0.1', 'postURLs'],
  ['tiktok-profile', '0.04', 'usernames'],
  ['google-maps', '0.4', 'searchStringsArray'],
  ['google-maps-reviews', '0.06', 'startUrls'],
  ['youtube', '0.24', 'startUrls'],
  ['youtube-search', '0.24', 'searchQueries'],
  ['facebook-posts', '0.5', 'startUrls'],
  ['facebook-comments', '0.15', 'startUrls'],
]

/** An action, its price, and parameters that it takes; "!" marks what every call must carry. */
const OFFER: readonly (readonly [id: string, price: string, params: string])[] = [
  ['core/discover', 'free', 'query!'],
  ['core/consult', '1¢ per call', 'intent! conversation_id'],
  ['core/onefind', '2¢ per call', 'query! limit'],
  ['core/onefind-deep', 'what its steps cost, within a budget of 10¢ to $5.00 that you may set', 'query rows limit budgetCents'],
  ['core/onescrape', '2¢ per page', 'urls! format main_content'],
  ['core/onescrape-deep', 'what its steps cost, within a budget of 10¢ to $5.00 that you may set', 'urls site format main_content budgetCents'],
  ['core/result', 'free', 'job_id!'],
  ['core/cancel', 'free', 'job_id!'],
  ['core/produce_demo', 'what its steps cost, within a budget of 1¢ to $5.00 that you may set', 'brief script urls voice aspect_ratio max_seconds budgetCents'],
  ['core/produce_autodemo', 'what its steps cost, within a budget of 1¢ to $5.00 that you may set', 'url! goal max_seconds budgetCents'],
  ['core/onesearch', '5¢ per call', 'query! limit freshness include_domains exclude_domains country topic'],
  ['core/onesearch-deep', 'what its steps cost, within a budget of 10¢ to $5.00 that you may set', 'query! questions read_pages budgetCents'],
  ['semantic/search', '1¢ per call', 'query! type numResults contents start_published_date end_published_date include_domains exclude_domains category'],
  ['semantic/contents', '0.1¢ per page and content field, at least 1¢, rounded up to whole cents', 'urls ids text highlights summary'],
  ['indep/search', '1¢ per call', 'q! count offset country search_lang freshness result_filter extra_snippets'],
  ['indep/news', '1¢ per call', 'q! count offset country search_lang freshness extra_snippets'],
  ['rag/search', '1¢ per call', 'query! max_results include_answer include_raw_content topic time_range country include_domains exclude_domains'],
  ['rag/extract', '1¢ per call', 'urls! format'],
  ['cited/search', '1¢ per call', CITED],
  ['cited/deep-search', '5¢ per call', CITED],
  ['agentic/search', '1¢ per call', ''],
  ['agentic/extract', '1¢ per page', 'urls! objective'],
  ['agentic/task', '10¢ to 30¢ per call, by what is asked for', 'input! processor'],
  ['agentic/task-status', 'free', 'run_id!'],
  ['scraping/scrape', '1¢ per call', 'url! formats only_main_content wait_for render_js stealth proxy_country provider'],
  ['render/scrape', '1¢ per call', 'url! formats onlyMainContent waitFor'],
  ['render/crawl', '1¢ per call', 'url! limit maxDepth'],
  ['render/crawl_status', 'free', 'id!'],
  ['render/extract_status', 'free', 'id!'],
  ['render/map', '1¢ per call', 'url!'],
  ['render/search', '1¢ per call', 'query! limit'],
  ['render/extract', '1¢ per call', 'urls! prompt schema'],
  ['render2/scrape', '1¢ per call', 'url! stealth country renderJs jsonSchema'],
  ['render2/search', '1¢ per call', 'query! scrapeOptions tbs sources'],
  ['render2/map', '1¢ per call', 'url!'],
  ['render2/crawl', '10¢ per call', 'url! maxPages maxDepth'],
  ['render2/crawl_status', '1¢ per call', 'id!'],
  ['render2/extract', '5¢ per call', 'urls! prompt schema basis'],
  ['render2/extract_status', '1¢ per call', 'id!'],
  ['proxy/scrape', '1¢ per call', PROXY],
  ['proxy/markdown', '1¢ per call', PROXY],
  ['proxy/scrape_residential', '4¢ per call', PROXY],
  ['proxy/extract', '20¢ per call', `${PROXY} extract_properties!`],
  ['cheapunblock/scrape', '1¢ per call', 'url!'],
  ['unblock/unblock', '2¢ per call', 'url!'],
  ['geoegress/scrape', 'what the vendor charges, at most 25¢', 'url! geo_location render'],
  ['captcha/solve', '0.3¢ per call', 'task!'],
  ['captcha/result', 'free', 'taskId!'],
  ...SCRAPERS.map(([name, rate, asks]) => [`platform/${name}`, `${rate}¢ per result, at least 1¢, rounded up to whole cents`, `${asks}! maxItems!`] as const),
  ['contactfind/people-search', '1¢ per profile', 'job_title location seniority skills page_size'],
  ['contactfind/linkedin-contacts', '10¢ to 30¢ per call, by what is asked for', 'profile! include_phone'],
  ['contactfind/person-from-email', '10¢ per call', 'email!'],
  ['contactfind/email-verify', '2¢ per call', 'email!'],
  ['emailintel/email-verifier', '2¢ per call', 'email!'],
  ['emailintel/email-finder', '4¢ per call', 'domain company full_name!'],
  ['emailintel/linkedin-finder', '5¢ per call', 'url! full'],
  ['emailintel/domain-search', '4¢ per call', 'department country page limit'],
  ['emailintel/author-finder', '4¢ per call', 'url!'],
  ['emailintel/enrich', '4¢ per call', 'email!'],
  ['emailintel/phone-finder', '10¢ per call', 'email domain linkedin'],
  ['emailasync/email-search', '4¢ per call', 'firstname lastname domainOrCompany!'],
  ['emailasync/email-verification', '2¢ per call', 'email!'],
  ['emailasync/domain-scan', '4¢ per call', 'domainOrCompany!'],
  ['emailasync/result', '1¢ per call', 'id mode limit'],
  ['deepenrich/person-enrich', '30¢ to 55¢ per call, by what is asked for', 'email phone social_media_url name company lite_enrich'],
  ['deepenrich/company-funders', '30¢ per call', 'company_name company_domain'],
  ['deepenrich/person-interactions', '30¢ per call', 'social_media_url! type tweet_id'],
  ['deepenrich/result', 'free', 'endpoint! request_id!'],
  ['companyfind/lookalikes', '1¢ per company', 'seed_domains query limit min_employees max_employees funding_stages locations'],
  ['companyfind/lookalikes-bulk', '1¢ per company', 'limit'],
  ['companyfind/tam-build', '1¢ per company', 'query!'],
  ['companyfind/tech-companies', '40¢ per call', 'variations include_evidence page'],
  ['companyfind/tech-intent', '20¢ per qualified company', 'activity! limit'],
  ['companyfind/deep-research', '20¢ per call', 'domain! activity_question qualifier_question'],
  ['companyfind/lookup-companies', 'free', 'companies!'],
  ['companyfind/options', 'free', ''],
  ['companyfind/results', 'free', 'kind! cursor'],
  ['companyfind/job-control', 'free', 'action!'],
  ['companyfind/balance', 'free', ''],
  ['hiringdata/jobs', '40¢ per call', 'limit! job_title_or job_country_code_or posted_at_max_age_days'],
  ['hiringdata/companies', '60¢ per call', 'limit'],
  ['hiringdata/technographics', '25¢ per call', ''],
  ['hiringdata/buying-intents', '25¢ per call', ''],
  ...['funding', 'acquisitions', 'job-changes', 'hiring', 'investors'].map((name) => [`signals/${name}`, '25¢ per call', 'limit'] as const),
  ['fundingdb/deals', '10¢ per row', ''],
  ['fundingdb/investor-deals', '10¢ per row', ''],
  ['fundingdb/deal-investors', '10¢ per call', ''],
  ['fundingdb/company-search', '1¢ per call', ''],
  ['altdata/company-enrich', '4¢ to 35¢ per section', 'company! sections!'],
  ['altdata/news', '2¢ to 3¢ per 10 articles', 'limit'],
  ['altdata/employee-reviews', '11¢ to 21¢ per call', 'company!'],
  ['altdata/product-reviews', '11¢ to 21¢ per call', 'company!'],
  ['seodata/query', '1¢ to 3¢ per call, by endpoint', ''],
  ['secfilings/entities', '1¢ per call', 'q!'],
  ['secfilings/filings', '1¢ per call', 'cik!'],
  ['secfilings/fulltext', '1¢ per call', 'q! forms startdt enddt from'],
  ['secfilings/document', '1¢ per call', 'cik! accession! filename!'],
  ['secfilings/concept', '1¢ per call', 'cik! concept!'],
  ['secfilings/index', '1¢ per call', 'date!'],
  ['courts/dockets', '1¢ per call', 'party_name docket_number court case_name q order_by'],
  ['courts/cases', '1¢ per call', 'party_name docket_number court case_name q order_by'],
  ['nonprofit/nonprofit_search', '1¢ per call', 'q state ntee'],
  ['nonprofit/nonprofit', '1¢ per call', 'ein!'],
  ['regs/search', 'what the vendor charges, at most 3¢', 'query! agency'],
  ['regs/resolve', 'what the vendor charges, at most 5¢', 'citation!'],
  ['fedrules/search', '1¢ per call', 'term type agency date_gte date_lte per_page'],
  ['fedrules/document', '1¢ per call', 'document_number!'],
  ['webarchive/snapshots', '1¢ per call', 'url! from to limit'],
  ['webarchive/available', '1¢ per call', 'url! timestamp'],
  ['webarchive/fetch', '1¢ per call', 'url! timestamp'],
  ['encyclopedia/search', '1¢ per call', 'q! lang'],
  ['encyclopedia/page', '1¢ per call', 'title! lang'],
  ['entitygraph/search', '1¢ per call', 'q! lang'],
  ['entitygraph/entity', '1¢ per call', 'id!'],
  ['entitygraph/sparql', '1¢ per call', 'query!'],
  ['patents/patents', '1¢ per call', 'q! date_gte date_lte limit offset'],
  ['patents/assignees', '1¢ per call', 'organization!'],
  ['globalnews/news', '1¢ per call', 'query! timespan startdatetime enddatetime maxrecords'],
  ['globalnews/timeline', '1¢ per call', 'query! timespan startdatetime enddatetime mode'],
  ['scholar/works', '1¢ per call', 'search filter per_page'],
  ['scholar/work', '1¢ per call', 'id!'],
  ['scholar/authors', '1¢ per call', 'search filter per_page'],
  ['vehicles/search', 'what the vendor charges, at most 10¢', 'make model year'],
  ['drugs/search', 'what the vendor charges, at most 10¢', 'q ndc'],
  ['trials/search', 'what the vendor charges, at most 10¢', 'q status phase'],
  ['recalls/search', 'what the vendor charges, at most 10¢', 'q!'],
  ...['vehicles', 'drugs', 'trials', 'recalls'].map((service) => [`${service}/get`, 'what the vendor charges, at most 2.5¢', 'id!'] as const),
  ['flights/flights', '0.5¢ per call', 'flight_iata dep_iata arr_iata airline_iata'],
  ['flights/timetable', '0.5¢ per call', 'iataCode! type!'],
  ['sneakers/product-search', '0.05¢ per call', 'marketplace query!'],
  ['sneakers/product-detail', '0.05¢ per call', 'marketplace id!'],
  ['sneakers/sales-history', '0.05¢ per call', 'marketplace id!'],
  ['newsletter/post', 'what the vendor charges, at most $1.00', 'publication! post!'],
  ['datahub/fetch', '1¢ to 21¢ per call, by endpoint', ''],
  ['datahub/submit', '1¢ per call', ''],
  ['trends/fetch', 'what the vendor charges, at most 5¢', ''],
  ['markets/fetch', '1¢ to 4¢ per call, by endpoint', ''],
  ['cryptoagent/agent', '2¢ to 5¢ per call, by endpoint', ''],
  ['socialread/fetch', '1¢ to 38¢ per call, by endpoint', ''],
  ['socialread/submit', '1¢ to 38¢ per call, by endpoint', ''],
  ['compliance/check', 'what the vendor charges, at most 3¢ to $1.19, by endpoint', ''],
  ...['properties', 'sale-listings', 'rental-listings'].map((name) => [`proprecords/${name}`, '30¢ per call', 'address zipCode city state latitude longitude radius limit offset'] as const),
  ['proprecords/market-stats', '30¢ per call', 'zipCode!'],
  ...['value-estimate', 'rent-estimate'].map((name) => [`proprecords/${name}`, '35¢ per call', 'bedrooms bathrooms squareFootage compCount'] as const),
  ['propdata/autocomplete', '1¢ per call', ''],
  ['propdata/property-search', '5¢ plus 15¢ per record', 'state zip address latitude longitude radius polygon size resultIndex count summary ids_only'],
  ['propdata/property-detail', '20¢ per call', ''],
  ['propdata/parcel', '20¢ per call', ''],
  ['propdata/property-comps', '5¢ plus 15¢ per comparable', 'max_results'],
  ['propdata/avm', '25¢ per call', 'strict'],
  ['propdata/skiptrace', '25¢ per call', 'address! city state zip'],
  ['propdata/address-verify', '5¢ plus 15¢ per address', 'addresses!'],
  ['files/upload', '1¢ per call', 'filename! size_bytes! mime tags note'],
  ['files/upload_from_url', '1¢ per call', 'url! filename tags note'],
  ['files/get', 'free', 'file_id!'],
  ['files/list', 'free', 'tags query'],
  ['files/delete', 'free', 'file_id!'],
  ['llmnative-a/messages', 'what the vendor charges, at most $1.00', 'model! max_tokens! messages!'],
  ['llmnative-b/chat', 'what the vendor charges, at most $1.00', 'model! messages!'],
  ['llmnative-b/embeddings', 'what the vendor charges, at most $1.00', 'model! input!'],
  ['llmnative-b/image-generate', 'what the vendor charges, at most $1.00', ''],
  ['router2/chat', 'what the vendor charges, at most $1.00', 'model! messages!'],
]

/** The least and the most that a field takes (of a text its length, of a list its items), and its default. */
const LIMITS: readonly (readonly [id: string, field: string, least: number, most: number, standard?: unknown])[] = [
  ['core/onefind', 'limit', 1, 25, 15],
  ['core/onefind-deep', 'limit', 1, 25, 15],
  ['core/onefind-deep', 'rows', 1, 50],
  ['core/onefind-deep', 'budgetCents', 10, 500],
  ['core/onescrape', 'urls', 1, 5],
  ['core/onescrape-deep', 'urls', 1, 50],
  ['core/onescrape-deep', 'budgetCents', 10, 500],
  ['core/onescrape-deep', 'site.max_pages', 1, 50, 20],
  ['core/onesearch', 'limit', 1, 25, 10],
  ['core/onesearch-deep', 'budgetCents', 10, 500, 50],
  ['semantic/search', 'numResults', 1, 100, 10],
  ['indep/search', 'count', 1, 20, 20],
  ['indep/news', 'count', 1, 50, 20],
  ['rag/search', 'max_results', 0, 20, 5],
  ['rag/extract', 'urls', 1, 5],
  ['scraping/scrape', 'wait_for', 0, 60_000, 0],
  ['render/scrape', 'waitFor', 0, 60_000, 0],
  ['render2/crawl', 'maxPages', 1, 100, 100],
  ['render2/extract', 'urls', 1, 10],
  ['render2/scrape', 'waitFor', 0, 60_000, 0],
  ...['scrape', 'markdown', 'scrape_residential', 'extract'].map((name) => [`proxy/${name}`, 'timeout', 5, 60, 60] as const),
  ...SCRAPERS.map(([name]) => [`platform/${name}`, 'maxItems', 1, 1_000] as const),
  ['contactfind/people-search', 'page_size', 1, 25, 10],
  ['companyfind/lookalikes', 'limit', 1, 100, 10],
  ['companyfind/lookalikes', 'seed_domains', 1, 10],
  ['companyfind/lookalikes-bulk', 'limit', 1, 2_000, 100],
  ['companyfind/tech-intent', 'limit', 1, 25, 10],
  ['companyfind/lookup-companies', 'companies', 1, 100],
  ['hiringdata/jobs', 'limit', 1, 10],
  ['hiringdata/companies', 'limit', 1, 5, 5],
  ...['funding', 'acquisitions', 'job-changes', 'hiring', 'investors'].map((name) => [`signals/${name}`, 'limit', 1, 100, 20] as const),
  ['patents/patents', 'limit', 1, 100, 25],
  ['globalnews/news', 'maxrecords', 1, 250, 75],
  ...['works', 'authors'].map((name) => [`scholar/${name}`, 'per_page', 1, 50, 25] as const),
  ...['properties', 'sale-listings', 'rental-listings'].map((name) => [`proprecords/${name}`, 'limit', 1, 100, 50] as const),
  ...['value-estimate', 'rent-estimate'].map((name) => [`proprecords/${name}`, 'compCount', 5, 25, 15] as const),
  ['router2/chat', 'max_tokens', 1, 16_384, 4_096],
  ['propdata/property-search', 'size', 1, 25, 5],
  ['propdata/property-comps', 'max_results', 1, 25, 10],
  ['propdata/address-verify', 'addresses', 1, 10],
  ['files/upload', 'note', 1, 500],
]

const CHOICES: readonly (readonly [id: string, field: string, values: string, standard?: string])[] = [
  ['core/onescrape', 'format', 'markdown html', 'markdown'],
  ['semantic/search', 'type', 'auto neural keyword deep-lite deep deep-reasoning', 'auto'],
  ['semantic/search', 'category', 'news research github people company'],
  ['rag/search', 'topic', 'general news finance', 'general'],
  ['rag/search', 'time_range', 'day week month year'],
  ['rag/extract', 'format', 'markdown text', 'markdown'],
  ['cited/search', 'outputType', 'sourcedAnswer searchResults structured', 'sourcedAnswer'],
  ['agentic/task', 'processor', 'pro ultra', 'pro'],
  ['scraping/scrape', 'provider', 'render2 render'],
  ['render2/search', 'tbs', 'qdr:h qdr:d qdr:w qdr:m qdr:y'],
  ['geoegress/scrape', 'render', 'html'],
  ['emailintel/domain-search', 'department', 'engineering sales finance hr it marketing operations management'],
  ['flights/timetable', 'type', 'departure arrival'],
  ['globalnews/timeline', 'mode', 'timelinevol timelinetone', 'timelinevol'],
]

function fieldOf(id: string, name: string): JsonSchema {
  let field: JsonSchema | undefined = inputSchema(actionOf(id))
  for (const part of name.split('.')) field = field?.properties?.[part]
  assert.ok(field, `${id} takes ${name}`)
  return field
}

describe('the catalog offers what is promised', () => {
  for (const [id, price, promised] of OFFER) {
    test(`${id}: ${price}`, () => {
      const action = actionOf(id)
      assert.equal(priceText(action), price)
      const names = promised.split(' ').filter((name) => name !== '')
      const { required_params: demanded } = requiredParams(action)
      const taken = Object.keys(inputSchema(action).properties ?? {})
      for (const name of names) assert.ok(taken.includes(name.replace('!', '')), `takes ${name}`)
      for (const name of demanded.filter((field) => field !== 'endpoint')) {
        // What the promise leaves open may be demanded; what it names without "!" may not.
        assert.ok(!names.includes(name), `${name} may be left out`)
      }
      for (const name of names.filter((field) => field.endsWith('!'))) assert.ok(demanded.includes(name.slice(0, -1)), `${name} is demanded`)
    })
  }

  for (const [id, name, least, most, standard] of LIMITS) {
    test(`${id}: ${name} is ${least} to ${most}`, () => {
      const field = fieldOf(id, name)
      assert.equal(field.minimum ?? field.minItems ?? field.minLength, least)
      assert.equal(field.maximum ?? field.maxItems ?? (field as { maxLength?: number }).maxLength, most)
      assert.equal(field.default, standard)
    })
  }

  for (const [id, name, values, standard] of CHOICES) {
    test(`${id}: ${name} is one of ${values}`, () => {
      const field = fieldOf(id, name)
      assert.deepEqual(field.enum, values.split(' '))
      assert.equal(field.default, standard)
    })
  }

  test('nothing is offered by these services that does not stand in the list', () => {
    const told = new Set(OFFER.map(([id]) => id))
    const services = new Set(OFFER.map(([id]) => id.split('/')[0]))
    const untold = catalog.allActions().filter(({ service, name }) => services.has(service.id) && !told.has(`${service.id}/${name}`))
    assert.deepEqual(untold.map(({ service, name }) => `${service.id}/${name}`), [])
  })

  test('what is priced by its input says so for each: phones, light look-ups, processors, surveys', () => {
    const priceOf = (id: string, input: Data) => worstCase(actionOf(id), input)
    assert.deepEqual([priceOf('contactfind/linkedin-contacts', { include_phone: false }), priceOf('contactfind/linkedin-contacts', { include_phone: true })], [cents('10'), cents('30')])
    assert.deepEqual([priceOf('deepenrich/person-enrich', { lite_enrich: false }), priceOf('deepenrich/person-enrich', { lite_enrich: true })], [cents('55'), cents('30')])
    assert.deepEqual([priceOf('agentic/task', { processor: 'pro' }), priceOf('agentic/task', { processor: 'ultra' })], [cents('10'), cents('30')])
    assert.deepEqual([priceOf('propdata/property-search', { size: 5 }), priceOf('propdata/property-search', { size: 5, count: true })], [cents('80'), cents('2')])
    assert.deepEqual([priceOf('core/onefind-deep', { rows: ['a', 'b'], limit: 15 }), priceOf('core/onescrape-deep', { urls: ['https://a.example/', 'https://b.example/'] })], [cents('32'), cents('20')])
  })

  test('what comes later is accepted with 202', () => {
    for (const name of ['person-enrich', 'company-funders', 'person-interactions']) assert.equal(actionOf(`deepenrich/${name}`).answerStatus, 202, name)
  })

  test('only what is said to be charged on a miss is, and nothing is ever charged on a failure', () => {
    for (const { service, name, action } of catalog.allActions()) {
      const isCharged = service.id === 'emailintel' || `${service.id}/${name}` === 'emailasync/result'
      assert.equal(billingBlock(action).on_miss, isCharged ? 'charged' : 'free', `${service.id}/${name}`)
      assert.equal(billingBlock(action).on_failure, 'free')
    }
  })

  test('a call that starts something says what each look at its result costs', () => {
    const polls = { 'render/crawl': 0, 'render/extract': 0, 'deepenrich/company-funders': 0, 'deepenrich/person-interactions': 0, 'companyfind/tam-build': 0, 'companyfind/tech-intent': 0, 'companyfind/lookalikes-bulk': 0, 'emailasync/email-verification': 1, 'render2/crawl': 1, 'render2/extract': 1, 'emailasync/email-search': 1, 'emailasync/domain-scan': 1, 'agentic/task': 0, 'captcha/solve': 0, 'deepenrich/person-enrich': 0, 'core/onefind-deep': 0 }
    for (const [id, price] of Object.entries(polls)) assert.equal(billingBlock(actionOf(id)).poll_price, price, id)
  })
})
