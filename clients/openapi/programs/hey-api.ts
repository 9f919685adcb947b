/** Calls actions with the functions of @hey-api/openapi-ts. */
import {
  coreDiscover,
  coreOnescrape,
  coreOnescrapeDeep,
  coreOnesearch,
  fedrulesSearch,
  filesList,
  ragSearch,
  readerDocument,
  renderScrape,
  semanticSearch,
  trendsFetch,
  webarchiveSnapshots,
} from '../generated/hey-api/index.ts'

/** The answer of a call that succeeded. */
function need<Answer>({ data }: { readonly data?: Answer | undefined }): Answer {
  if (data === undefined) throw new RangeError('The call failed.')
  return data
}

export async function readTitles(): Promise<readonly (string | null | undefined)[]> {
  const page = need(await coreOnescrape({ body: { urls: ['https://a.example'] } }))
  const search = need(await coreOnesearch({ body: { query: 'ledger' } }))
  const meaning = need(await semanticSearch({ body: { query: 'ledger' } }))
  const rag = need(await ragSearch({ body: { query: 'ledger' } }))
  const found = need(await coreDiscover({ body: { query: 'ledger' } }))
  const files = need(await filesList({ body: {} }))
  const rules = need(await fedrulesSearch({ body: { term: 'water' } }))
  const old = need(await webarchiveSnapshots({ body: { url: 'a.example' } }))
  const document = need(await readerDocument({ body: { url: 'https://a.example' } }))
  const scrape = need(await renderScrape({ body: { url: 'https://a.example' } }))
  const trend = need(await trendsFetch({ body: { endpoint: '/trend', keyword: 'ledger' } }))
  const job = need(await coreOnescrapeDeep({ body: { urls: ['https://a.example'] } }))
  const micros: number = page.charged_micros
  // @ts-expect-error: rows have no such field.
  const misspelt: string | null | undefined = page.data.rows[0]?.titel
  return [
    page.data.rows[0]?.title,
    search.data.rows[0]?.title,
    meaning.data.results[0]?.title,
    rag.data.results[0]?.title,
    found.data.hits[0]?.action,
    files.data.files[0]?.filename,
    rules.data.results?.[0]?.title,
    old.data.snapshots[0]?.timestamp,
    document.data.title,
    scrape.data.data.markdown,
    trend.data.search_metadata?.status,
    job.data.job_id,
    String(micros),
    misspelt,
  ]
}
