/** A SearXNG with recorded results. Tests set its rows, failing engines and status. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { cleanUp } from '../clean-up.ts'

export type RecordedRow = {
  readonly url: string
  readonly title?: string
  readonly content?: string
  readonly publishedDate?: string
  readonly engines?: readonly string[]
  readonly positions?: readonly number[]
}
export type RecordedAnswer = {
  readonly rows?: readonly RecordedRow[]
  /** Pairs of an engine and its failure. */
  readonly failed?: readonly (readonly [string, string])[]
  readonly status?: number
  /** Replaces the JSON. */
  readonly text?: string
}
export type SearxngServer = {
  readonly url: string
  /** The queries of all searches so far. */
  readonly asked: URLSearchParams[]
  behave(answer: (query: URLSearchParams) => RecordedAnswer): void
  /** The enabled engines of the category "general"; null without a list. */
  enable(engines: readonly string[] | null): void
}

export async function startSearxng(): Promise<SearxngServer> {
  let answerOf: (query: URLSearchParams) => RecordedAnswer = () => ({})
  let enabled: readonly string[] | null = ['bing', 'mojeek', 'wikipedia']
  const asked: URLSearchParams[] = []
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
    const send = (status: number, body: string) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(body)
    if (pathname === '/config')
      return enabled === null ? send(404, '') : send(200, JSON.stringify(listOf(enabled)))
    if (pathname !== '/search' || searchParams.get('format') !== 'json') return send(404, '')
    asked.push(searchParams)
    const { rows = [], failed = [], status = 200, text } = answerOf(searchParams)
    const results = rows.map((row, at) => ({
      engine: row.engines?.[0] ?? 'bing',
      engines: ['bing'],
      positions: [at + 1],
      category: searchParams.get('categories'),
      score: 1 / (at + 1),
      ...row,
    }))
    const body = { query: searchParams.get('q'), results, unresponsive_engines: failed }
    return send(status, text ?? JSON.stringify({ ...body, answers: [], infoboxes: [] }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanUp(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    behave: (answer) => (answerOf = answer),
    enable: (engines) => (enabled = engines),
  }
}

function listOf(engines: readonly string[]) {
  return {
    engines: engines.map((name) => ({ name, enabled: true, categories: ['general', 'news'] })),
  }
}
