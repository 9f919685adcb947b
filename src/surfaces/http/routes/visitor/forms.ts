import type { FastifyInstance } from 'fastify'
import { requires } from '../../guards/requires.ts'

// The longest labels and external ids, or password and next page. A form encodes a character in up to
// twelve bytes, and the percent signs of a next page in three.
export const FORM_LIMIT_BYTES = 12 * 1024

/** Parses the forms of all pages. */
export function acceptForms(app: FastifyInstance): void {
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => {
      done(null, Object.fromEntries(new URLSearchParams(body as string)))
    },
  )
}

/** A submitted field as text. Removes NUL, which browsers do not send and PostgreSQL does not store. */
export function fieldOf(body: unknown, name: string): string {
  const value = (body as Record<string, unknown> | null | undefined)?.[name]
  return typeof value === 'string' ? value.replaceAll('\0', '') : ''
}

/** Redirects a GET of a form address to its page, for reloads after a rejected form. */
export function redirectFormGet(app: FastifyInstance, form: string, page = '/balance'): void {
  app.get(form, requires('public'), async (_request, reply) => reply.redirect(page, 303))
}
