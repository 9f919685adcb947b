import type { FastifyInstance } from 'fastify'

// Labels and external ids, or a password and the page that is wanted, of the greatest length: each of their characters
// takes up to twelve bytes in a form.
export const FORM_LIMIT_BYTES = 8192

/** Forms of pages, to be registered once for all of them. */
export function acceptForms(app: FastifyInstance): void {
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => {
      done(null, Object.fromEntries(new URLSearchParams(body as string)))
    },
  )
}

/** A field of a form that was sent, as text. No browser sends a NUL in one, and no database keeps it. */
export function fieldOf(body: unknown, name: string): string {
  const value = (body as Record<string, unknown> | null | undefined)?.[name]
  return typeof value === 'string' ? value.replaceAll('\0', '') : ''
}

/** Where the browser stands after a form was refused. HistoryFilter for again it is the page, and no error about methods. */
export function redirectFormGet(app: FastifyInstance, form: string, page = '/balance'): void {
  app.get(form, async (_request, reply) => reply.redirect(page, 303))
}
