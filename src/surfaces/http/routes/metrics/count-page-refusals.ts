import type { FastifyInstance } from 'fastify'
import type { Reading } from '../../../../lib/reading.ts'

/** Where people send forms. */
const PAGES = /^\/(account|balance|keys|sign-in|sign-up|welcome)(\/|$)/

/**
 * Counts forms that were refused: those answers are pages, and no errors of a route. To be called before these routes are
 * added; all others, calls among them, are left alone.
 */
export function countPageRefusals(app: FastifyInstance): Reading {
  const counts = new Map<string, { readonly labels: { readonly page: string; readonly status: string }; value: number }>()
  app.addHook('onRoute', (route) => {
    if (route.method !== 'POST' || !PAGES.test(route.url)) return
    const { onResponse = [] } = route
    route.onResponse = [...[onResponse].flat(), async (_request, { statusCode }) => {
      if (statusCode >= 400) count(route.url, String(statusCode))
    }]
  })

  function count(page: string, status: string): void {
    const key = `${page} ${status}`
    const counted = counts.get(key) ?? { labels: { page, status }, value: 0 }
    counted.value += 1
    counts.set(key, counted)
  }

  return {
    name: 'tollgate_page_refusals_total',
    help: 'Forms of people that were refused, by page and status: 401 for a wrong password, passkey or key, 403 for a link that works no more, 429 for too many attempts.',
    kind: 'counter',
    labels: ['page', 'status'],
    read: () => [...counts.values()],
  }
}
