/** The official MCP conformance suite against the gateway, in both revisions. */
import { startKeyedProxy } from '../test/mcp/conformance/keyed-proxy.ts'
import { runSuite, type Revision, type SuiteResult } from '../test/mcp/conformance/run-suite.ts'
import type { Gateway } from './bed/gateway.ts'

export type Conformance = SuiteResult & { readonly revision: Revision }

const REVISIONS: readonly Revision[] = ['2026-07-28', '2025-11-25']

export async function runConformance({ url, key }: Gateway): Promise<readonly Conformance[]> {
  const proxy = await startKeyedProxy(Number(new URL(url).port), key)
  const results: Conformance[] = []
  try {
    for (const revision of REVISIONS)
      results.push({
        ...(await runSuite({ url: proxy.url, revision, server: 'product' })),
        revision,
      })
  } finally {
    proxy.close()
  }
  return results
}
