/** `scraping/scrape`: one page by the fast reader, then by the full browser, in one form whoever read it. */
import type { CallTools, Hop, LocalHandler } from '../../catalog/vocabulary/handlers.ts'
import type { Data, Outcome } from '../../catalog/vocabulary/outcome.ts'
import { failed } from '../../catalog/vocabulary/outcome.ts'
import { firstTitle } from '../../catalog/answers/page-reply.ts'
import type { ScrapingInput } from './record.ts'
import { field } from '../../catalog/answers/vendor-failure.ts'

type Provider = 'render2' | 'render'
type Failure = Extract<Outcome, { kind: 'failed' }>

/** What the yield check gets to see of a page and what it says about it. */
export type JudgePage = (page: {
  html?: string
  content: string
  title: string | null
  status: number
  finalUrl: string
}) => { readonly flags: readonly string[] }

/** `judgePage` tells a wall or an empty shell from a page; without it every answered page counts. */
export function createScrapingScrape({
  judgePage,
}: { readonly judgePage?: JudgePage } = {}): LocalHandler {
  return async (data, tools) => {
    // Validation has passed: the input is what the action's schema says.
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

/** A wish that only render2 can grant is not dropped in silence: then its failure is the answer. */
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
  const page = normalisedPage(provider, input, document)
  return { kind: 'read', hop, page, flags: judged(page, judgePage) }
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

function normalisedPage(
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

/** Only text can be judged: a page asked for as links or a screenshot passes. */
function judged(page: Data, judgePage: JudgePage | undefined): readonly string[] {
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

/** A thin page is better than none; a wall is none. Of several failures the vendor's own says more than a missing lane. */
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
  const telling = failures.findLast(({ code }) => code !== 'upstream_not_configured') ?? failures[0]
  if (telling === undefined) return failed('no_results', 'The page could not be read.', details)
  return { ...telling, details: { ...telling.details, ...details } }
}
