import type { FastifyInstance } from 'fastify'

/** Makes browsers use the Content-Type of a response instead of guessing one. */
export const NO_SNIFFING = { name: 'x-content-type-options', value: 'nosniff' } as const

/** Adds the header to every response, including errors. */
export function forbidSniffing(app: FastifyInstance): void {
  app.addHook('onRequest', (_request, reply, done) => {
    reply.header(NO_SNIFFING.name, NO_SNIFFING.value)
    done()
  })
}
