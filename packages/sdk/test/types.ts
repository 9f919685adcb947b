/** The compiler checks these statements: the types of inputs and answers come from the catalog. */
import type { StartedJob, Tollgate } from '../src/index.ts'

export async function checkTypes(tollgate: Tollgate): Promise<void> {
  const search = await tollgate.core.onesearch({
    query: 'ledger',
    max_cost_cents: 3,
    confirm_loop: 'token of loop_suspected',
  })
  const title: string | null | undefined = search.data.rows[0]?.title
  const micros: number = search.charged.micros
  const isSimulated: boolean = search.simulated
  // @ts-expect-error: answers have no such field.
  void search.data.rows[0]?.titel
  // @ts-expect-error: `query` is required.
  void tollgate.core.onesearch({})
  // @ts-expect-error: the parameter is `urls`.
  void tollgate.core.onescrape({ url: 'https://example.com' })
  // @ts-expect-error: no such action.
  void tollgate.core.onescrap

  const page = await tollgate.render.scrape({ url: 'https://example.com' })
  const fileId: string | null | undefined = page.data.kept_files?.[0]?.file_id
  const pages = await tollgate.core.onescrape({ urls: ['https://example.com'] })
  // @ts-expect-error: the only files are those of `rest`.
  void pages.data.kept_files

  const job = await tollgate.core.onescrapeDeep({ urls: ['https://example.com'] })
  const started: StartedJob = job.data
  const same: typeof job = await tollgate.core['onescrape-deep']({ urls: [] })

  const trend = await tollgate.trends.fetch({ endpoint: '/trend', keyword: 'ledger' })
  // @ts-expect-error: /trend needs a keyword.
  void tollgate.trends.fetch({ endpoint: '/trend' })
  // @ts-expect-error: no such endpoint.
  void tollgate.trends.fetch({ endpoint: '/trendy', keyword: 'ledger' })
  void [title, fileId, micros, isSimulated, started, same, trend.data]
}
