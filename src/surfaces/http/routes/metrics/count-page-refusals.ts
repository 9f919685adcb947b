import type { FastifyInstance } from 'fastify'
import type { Reading } from '../../../../lib/reading.ts'

/** The addresses of forms. */
const FORMS = /^\/(account|balance|keys|sign-in|sign-up|welcome)(\/|$)/

// Exported as zero from the start, so that Prometheus sees the first one as an increase.
const EXPECTED = [401, 403, 429]

/**
 * Counts rejected forms by page and status. Their responses are pages, so `countErrors` does not see
 * them. Call it before the routes are added.
 */
export function countPageRefusals(app: FastifyInstance): Reading {
  const counts = new Map<
    string,
    { readonly labels: { readonly page: string; readonly status: string }; value: number }
  >()
  app.addHook('onRoute', (route) => {
    if (route.method !== 'POST' || !FORMS.test(route.url)) return
    for (const status of EXPECTED) countOf(route.url, status)
    const { onResponse = [] } = route
    route.onResponse = [
      ...[onResponse].flat(),
      async (_request, { statusCode }) => {
        if (statusCode >= 400) countOf(route.url, statusCode).value += 1
      },
    ]
  })

  function countOf(page: string, status: number): { value: number } {
    const key = `${page} ${status}`
    const counted = counts.get(key) ?? { labels: { page, status: String(status) }, value: 0 }
    counts.set(key, counted)
    return counted
  }

  return {
    name: 'tollgate_page_refusals_total',
    help: 'Rejected forms by page and status: 401 for a wrong password, passkey or key, 403 for an expired link, 429 for too many attempts.',
    kind: 'counter',
    labels: ['page', 'status'],
    read: () => [...counts.values()],
  }
}
