/** Calls actions with the functions of orval. */
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
} from '../generated/orval.ts'

/** The answer of a call that succeeded. */
function need<Reply extends { readonly status: number; readonly data: unknown }>(
  reply: Reply,
): Extract<Reply, { readonly status: 200 }>['data'] {
  if (reply.status !== 200) throw new RangeError('The call failed.')
  return reply.data
}

export async function readTitles(): Promise<readonly (string | null | undefined)[]> {
  const page = need(await coreOnescrape({ urls: ['https://a.example'] }))
  const search = need(await coreOnesearch({ query: 'ledger' }))
  const meaning = need(await semanticSearch({ query: 'ledger' }))
  const rag = need(await ragSearch({ query: 'ledger' }))
  const found = need(await coreDiscover({ query: 'ledger' }))
  const files = need(await filesList({}))
  const rules = need(await fedrulesSearch({ term: 'water' }))
  const old = need(await webarchiveSnapshots({ url: 'a.example' }))
  const document = need(await readerDocument({ url: 'https://a.example' }))
  const scrape = need(await renderScrape({ url: 'https://a.example' }))
  const trend = need(await trendsFetch({ endpoint: '/trend', keyword: 'ledger' }))
  const job = need(await coreOnescrapeDeep({ urls: ['https://a.example'] }))
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
