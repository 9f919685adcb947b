/** Addresses that people try, and where they lead. */
import type { FastifyInstance } from 'fastify'

const REDIRECTS = {
  '/dashboard': '/balance',
  '/login': '/sign-in',
  '/signup': '/sign-up',
} as const

export function redirectRoutes(app: FastifyInstance): void {
  for (const [from, to] of Object.entries(REDIRECTS))
    app.get(from, (_request, reply) => reply.redirect(to, 302))
}
