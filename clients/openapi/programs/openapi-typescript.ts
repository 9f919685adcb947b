/** Calls actions with the types of openapi-typescript. */
import createClient from 'openapi-fetch'
import type { paths } from '../generated/openapi-typescript.d.ts'

const client = createClient<paths>({ baseUrl: 'http://127.0.0.1:4020' })

/** The answer of a call that succeeded. */
function need<Answer>({ data }: { readonly data?: Answer | undefined }): Answer {
  if (data === undefined) throw new RangeError('The call failed.')
  return data
}

export async function readTitles(): Promise<readonly (string | null | undefined)[]> {
  const run = client.POST
  const page = need(await run('/api/run/core/onescrape', { body: { urls: ['https://a.example'] } }))
  const search = need(await run('/api/run/core/onesearch', { body: { query: 'ledger' } }))
  const meaning = need(await run('/api/run/semantic/search', { body: { query: 'ledger' } }))
  const rag = need(await run('/api/run/rag/search', { body: { query: 'ledger' } }))
  const found = need(await run('/api/run/core/discover', { body: { query: 'ledger' } }))
  const files = need(await run('/api/run/files/list', { body: {} }))
  const rules = need(await run('/api/run/fedrules/search', { body: { term: 'water' } }))
  const old = need(await run('/api/run/webarchive/snapshots', { body: { url: 'a.example' } }))
  const document = need(
    await run('/api/run/reader/document', { body: { url: 'https://a.example' } }),
  )
  const scrape = need(await run('/api/run/render/scrape', { body: { url: 'https://a.example' } }))
  const trend = need(
    await run('/api/run/trends/fetch', { body: { endpoint: '/trend', keyword: 'ledger' } }),
  )
  const job = need(
    await run('/api/run/core/onescrape-deep', { body: { urls: ['https://a.example'] } }),
  )
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
