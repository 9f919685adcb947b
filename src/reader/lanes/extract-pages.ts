import { newId, publicId } from '../../lib/ids.ts'
import type { Extraction, WorkInput } from '../extract/extraction-worker.ts'
import { readPage, type ReadDeps } from '../fetch/read-page.ts'
import { mapConcurrently, stringsOf, type LaneCall, type LaneInput } from './lane-call.ts'

type Read = { url: string; extraction: Extraction }
type Failed = { url: string; reason: string; status: number | null }
type Extracts = Pick<WorkInput, 'format' | 'highlights'>

const PAGE_CONCURRENCY = 8
const PAGE_TIMEOUT_MS = 15_000
const EXCERPTS = 5
/** Year, month and day. */
const DATE_CHARACTERS = 10

export type RagExtractReply = {
  /** `images` has the image that the page names as its own, if any. */
  results: { url: string; raw_content: string; images: string[] }[]
  failed_results: { url: string; error: string }[]
  response_time: number
  request_id: string
}

/**
 * The reply of `rag/extract`, read in-house without scripts. A wall or an empty shell is a failed
 * result.
 */
export function createRagExtract(deps: ReadDeps) {
  return async function ragExtract(input: LaneInput, call: LaneCall): Promise<RagExtractReply> {
    const startedMs = call.now()
    const { read, failed } = await readAll(
      deps,
      input,
      { format: input['format'] === 'text' ? 'text' : 'markdown' },
      call,
    )
    return {
      results: read.map(({ url, extraction }) => ({
        url,
        raw_content: extraction.content,
        images: extraction.fields.image === null ? [] : [extraction.fields.image],
      })),
      failed_results: failed.map(({ url, reason }) => ({ url, error: reason })),
      response_time: (call.now() - startedMs) / 1_000,
      request_id: publicId('request', newId(startedMs)),
    }
  }
}

export type AgenticExtractReply = {
  extract_id: string
  results: {
    url: string
    title: string | null
    publish_date: string | null
    excerpts: string[]
    full_content: string | null
  }[]
  errors: { url: string; error_type: string; http_status_code: number | null; content: null }[]
}

/**
 * The reply of `agentic/extract`, read in-house without scripts. Excerpts are the sentences that
 * best match the objective.
 */
export function createAgenticExtract(deps: ReadDeps) {
  return async function agenticExtract(
    input: LaneInput,
    call: LaneCall,
  ): Promise<AgenticExtractReply> {
    const query = typeof input['objective'] === 'string' ? input['objective'] : ''
    const { read, failed } = await readAll(
      deps,
      input,
      { format: 'markdown', highlights: { query, count: EXCERPTS } },
      call,
    )
    return {
      extract_id: publicId('request', newId(call.now())),
      results: read.map(({ url, extraction }) => ({
        url,
        title: extraction.title,
        publish_date: extraction.fields.published?.slice(0, DATE_CHARACTERS) ?? null,
        excerpts: (extraction.highlights ?? []).map(({ text }) => text),
        full_content: input['full_content'] === true ? extraction.content : null,
      })),
      errors: failed.map(({ url, reason, status }) => ({
        url,
        error_type: reason,
        http_status_code: status,
        content: null,
      })),
    }
  }
}

async function readAll(
  deps: ReadDeps,
  input: LaneInput,
  extracts: Extracts,
  call: LaneCall,
): Promise<{ read: Read[]; failed: Failed[] }> {
  const timeoutMs = Math.min(PAGE_TIMEOUT_MS, call.timeoutMs)
  const pages = await mapConcurrently(
    [...new Set(stringsOf(input['urls']))],
    PAGE_CONCURRENCY,
    async (url): Promise<Read | Failed> => {
      const result = await readPage(
        deps,
        { url, mainContent: true, ...extracts },
        { accountId: call.accountId, signal: call.signal, timeoutMs },
      )
      if (result.kind === 'failed')
        return { url, reason: result.reason, status: result.status ?? null }
      const [flag] = result.extraction.verdict.flags
      return flag === undefined
        ? { url, extraction: result.extraction }
        : { url, reason: result.extraction.verdict.reason ?? flag, status: result.page.status }
    },
  )
  return {
    read: pages.filter((page) => 'extraction' in page),
    failed: pages.filter((page) => 'reason' in page),
  }
}
