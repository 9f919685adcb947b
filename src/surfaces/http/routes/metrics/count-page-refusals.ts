import type { FastifyInstance } from 'fastify'
import type { Reading } from '../../../../lib/reading.ts'

/** Where people send forms. */
const PAGES = /^\/(account|balance|keys|sign-in|sign-up|welcome)(\/|$)/

// Told as zero before they occur: the first time is an increase only where there was something before.
const FORESEEN = [401, 403, 429]

/**
 * Counts forms that were refused: those answers are pages, and no errors of a route. To be called before these routes are
 * added; all others, calls among them, are left alone.
 */
export function countPageRefusals(app: FastifyInstance): Reading {
  const counts = new Map<
    string,
    { readonly labels: { readonly page: string; readonly status: string }; value: number }
  >()
  app.addHook('onRoute', (route) => {
    if (route.method !== 'POST' || !PAGES.test(route.url)) return
    for (const status of FORESEEN) countOf(route.url, status)
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
    help: 'Forms of people that were refused, by page and status: 401 for a wrong password, passkey or key, 403 for a link that works no more, 429 for too many attempts.',
    kind: 'counter',
    labels: ['page', 'status'],
    read: () => [...counts.values()],
  }
}
