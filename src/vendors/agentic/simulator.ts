/**
 * Parallel's API: POST /v1/search and /v1/extract, and tasks under /v1/tasks/runs, with the header
 * x-api-key.
 */
import { pageFor, toMarkdown } from '../../simulators/content.ts'
import { faultOf, isPageFault } from '../../simulators/faults.ts'
import { hitsFor } from '../../simulators/hits.ts'
import { jobOf, startJob, type SimulatedJob } from '../../simulators/jobs.ts'
import { sampleOf } from '../../simulators/schema-sample.ts'
import { countOf, headerCredential, json, routed } from '../../simulators/routed.ts'
import {
  bodyField,
  stringsOf,
  type SimulatedReply,
  type SimulatedRequest,
  type SimulatedVendor,
} from '../../simulators/vendor.ts'

type Parts = Readonly<Record<string, string>>

const agentic: SimulatedVendor = routed({
  credential: headerCredential('x-api-key'),
  quotaStatus: 402,
  failure: (status) =>
    json(
      {
        type: 'error',
        error: {
          ref_id: 'simulated',
          message: `Simulated failure with status ${status}.`,
          detail: null,
        },
      },
      status,
    ),
  routes: {
    'POST /v1/search': search,
    'POST /v1/extract': extract,
    'POST /v1/tasks/runs': startRun,
    'GET /v1/tasks/runs/:id': showRun,
    'GET /v1/tasks/runs/:id/result': showResult,
  },
})

function search(request: SimulatedRequest): SimulatedReply {
  const [query] = stringsOf(bodyField(request, 'search_queries'))
  if (query === undefined) return agentic.failure(422, 'fault')
  const settings = bodyField(request, 'advanced_settings') as { max_results?: unknown } | undefined
  const hits = hitsFor(query, 'agentic', {
    count: countOf(settings?.max_results, 10),
    from: 2,
    now: request.now,
  })
  return json({
    search_id: 'search_simulated',
    session_id: 'session_simulated',
    results: hits.map(({ url, title, description, publishedAt }) => ({
      url,
      title,
      publish_date: publishedAt.slice(0, 10),
      excerpts: [description],
    })),
    usage: [{ name: 'sku_search', count: 1 }],
    warnings: null,
  })
}

function extract(request: SimulatedRequest): SimulatedReply {
  const urls = stringsOf(bodyField(request, 'urls'))
  if (urls.length === 0 || urls.length > 20) return agentic.failure(422, 'fault')
  const settings = bodyField(request, 'advanced_settings') as { full_content?: unknown } | undefined
  const schema = bodyField(request, 'schema')
  const isLost = (url: string) => {
    const fault = faultOf(url, 'agentic')
    return (
      fault !== undefined && isPageFault(fault) && (fault.kind === 'miss' || fault.kind === 'page')
    )
  }
  const read = urls.filter((url) => !isLost(url))
  return json({
    extract_id: 'extract_simulated',
    results: read.map((url) => ({
      url,
      title: pageFor(url).title,
      publish_date: null,
      excerpts: [pageFor(url).description],
      full_content: settings?.full_content === true ? toMarkdown(pageFor(url)) : null,
      ...(schema === undefined ? {} : { data: sampleOf(schema) }),
    })),
    errors: urls
      .filter(isLost)
      .map((url) => ({ url, error_type: 'fetch_error', http_status_code: 404, content: null })),
    usage: [{ name: 'sku_extract', count: read.length }],
  })
}

function startRun(request: SimulatedRequest): SimulatedReply {
  const [processor] = stringsOf(bodyField(request, 'processor'))
  const input = bodyField(request, 'input')
  if (processor === undefined || input === undefined) return agentic.failure(422, 'fault')
  const isLost = faultOf(JSON.stringify(input), 'agentic')?.kind === 'miss'
  return json(runOf(startJob({ processor, isLost }, request.now), 'queued', processor), 202)
}

function showRun({ now }: SimulatedRequest, { id = '' }: Parts): SimulatedReply {
  const job = jobOf(id, now)
  if (job === undefined) return agentic.failure(404, 'fault')
  const ended = job.input['isLost'] === true ? 'failed' : 'completed'
  return json(runOf(id, job.state === 'running' ? 'running' : ended, processorOf(job)))
}

/** Returns 408 while the task runs, and 404 if it ended without a result. */
function showResult({ now }: SimulatedRequest, { id = '' }: Parts): SimulatedReply {
  const job = jobOf(id, now)
  if (job === undefined || job.input['isLost'] === true) return agentic.failure(404, 'fault')
  if (job.state === 'running') return agentic.failure(408, 'fault')
  const basis = [
    {
      field: 'output',
      reasoning: 'Simulated.',
      citations: [
        { url: 'https://example.com/', title: pageFor('https://example.com/').title, excerpts: [] },
      ],
      confidence: 'high',
    },
  ]
  return json({
    run: runOf(id, 'completed', processorOf(job)),
    output: { type: 'text', content: 'A simulated result.', basis },
  })
}

function processorOf({ input }: SimulatedJob): string {
  return stringsOf(input['processor'])[0] ?? 'pro'
}

function runOf(id: string, status: string, processor: string) {
  return {
    run_id: id,
    status,
    is_active: status === 'queued' || status === 'running',
    processor,
    interaction_id: 'simulated',
    created_at: '2026-11-20T12:00:00Z',
    modified_at: '2026-11-20T12:00:00Z',
  }
}

export const simulators = { agentic }
