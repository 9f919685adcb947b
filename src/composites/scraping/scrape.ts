/** `scraping/scrape`: reads one page with the fast reader, then with the full browser, and returns one format. */
import type { CallTools, Hop, LocalHandler } from '../../catalog/vocabulary/handlers.ts'
import type { Data, Outcome } from '../../catalog/vocabulary/outcome.ts'
import { failed } from '../../catalog/vocabulary/outcome.ts'
import { firstTitle } from '../../catalog/answers/page-reply.ts'
import type { ScrapingInput } from './record.ts'
import { field } from '../../catalog/answers/vendor-failure.ts'

type Provider = 'render2' | 'render'
type Failure = Extract<Outcome, { kind: 'failed' }>

/** Flags a page that is a wall or an empty shell. */
export type JudgePage = (page: {
  html?: string
  content: string
  title: string | null
  status: number
  finalUrl: string
}) => { readonly flags: readonly string[] }

/** Without `judgePage` every returned page counts as read. */
export function createScrapingScrape({
  judgePage,
}: { readonly judgePage?: JudgePage } = {}): LocalHandler {
  return async (data, tools) => {
    // Validated against the action's schema.
    const input = data as ScrapingInput
    const attempts: Attempt[] = []
    for (const provider of providersFor(input)) {
      const attempt = await tryProvider(provider, input, tools, judgePage)
      if (attempt.kind === 'read' && attempt.flags.length === 0)
        return { kind: 'done', data: attempt.page }
      attempts.push(attempt)
    }
    return bestOf(attempts)
  }
}

/** Parameters that only render2 supports are never dropped: if render2 fails, the call fails. */
function providersFor({
  provider,
  stealth,
  proxy_country: country,
  render_js: renderJs,
}: ScrapingInput): readonly Provider[] {
  if (provider !== undefined) return [provider]
  return stealth === true || country !== undefined || renderJs === false
    ? ['render2']
    : ['render2', 'render']
}

type Attempt =
  | {
      readonly kind: 'read'
      readonly hop: Hop
      readonly page: Data
      readonly flags: readonly string[]
    }
  | { readonly kind: 'failed'; readonly hop: Hop; readonly failure: Failure }

async function tryProvider(
  provider: Provider,
  input: ScrapingInput,
  tools: CallTools,
  judgePage: JudgePage | undefined,
): Promise<Attempt> {
  const { hop, outcome } = await tools.invoke(provider, 'scrape', inputFor(provider, input))
  if (outcome.kind === 'failed') return { kind: 'failed', hop, failure: outcome }
  const document = field(outcome.data, 'data')
  const page = normalisePage(provider, input, document)
  return { kind: 'read', hop, page, flags: flagsOf(page, judgePage) }
}

function inputFor(provider: Provider, input: ScrapingInput): Data {
  const shared = {
    url: input.url,
    formats: input.formats,
    onlyMainContent: input.only_main_content,
    waitFor: input.wait_for,
  }
  if (provider === 'render') return shared
  return {
    ...shared,
    stealth: input.stealth ?? false,
    ...(input.render_js === undefined ? {} : { renderJs: input.render_js }),
    ...(input.proxy_country === undefined ? {} : { country: input.proxy_country }),
  }
}

function normalisePage(
  provider: Provider,
  { url, formats }: ScrapingInput,
  document: unknown,
): Data {
  const metadata = field(document, 'metadata')
  const finalUrl = field(metadata, 'url')
  const status = field(metadata, 'statusCode')
  const contents = formats.map((format): [string, unknown] => [format, field(document, format)])
  return {
    provider,
    url,
    final_url: typeof finalUrl === 'string' ? finalUrl : url,
    status_code: typeof status === 'number' ? status : 200,
    title: firstTitle(field(metadata, 'title')) ?? null,
    ...Object.fromEntries(
      contents.filter(([, content]) => content !== undefined && content !== null),
    ),
  }
}

/** Judges only text. A page read as links or a screenshot passes. */
function flagsOf(page: Data, judgePage: JudgePage | undefined): readonly string[] {
  const { markdown, html, title } = page
  if (judgePage === undefined || (typeof markdown !== 'string' && typeof html !== 'string'))
    return []
  return judgePage({
    content: typeof markdown === 'string' ? markdown : String(html),
    ...(typeof html === 'string' ? { html } : {}),
    title: typeof title === 'string' ? title : null,
    status: Number(page['status_code']),
    finalUrl: String(page['final_url']),
  }).flags
}

/** Prefers a thin page to a failure, and a vendor's failure to a missing lane. A wall is a failure. */
function bestOf(attempts: readonly Attempt[]): Outcome {
  const thin = attempts.find(
    (attempt) => attempt.kind === 'read' && !attempt.flags.includes('blocked'),
  )
  if (thin?.kind === 'read') return { kind: 'done', data: thin.page }
  const details = { calls: attempts.map(({ hop }) => hop) }
  if (attempts.some(({ kind }) => kind === 'read'))
    return failed('no_results', 'The page showed a wall instead of its content.', {
      ...details,
      blocked: true,
    })
  const failures = attempts.flatMap((attempt) =>
    attempt.kind === 'failed' ? [attempt.failure] : [],
  )
  const failure = failures.findLast(({ code }) => code !== 'upstream_not_configured') ?? failures[0]
  if (failure === undefined) return failed('no_results', 'The page could not be read.', details)
  return { ...failure, details: { ...failure.details, ...details } }
}
