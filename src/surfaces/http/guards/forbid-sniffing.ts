import type { FastifyInstance } from 'fastify'

/** A browser takes an answer for what its Content-Type names, and for nothing else. */
export const NO_SNIFFING = { name: 'x-content-type-options', value: 'nosniff' } as const

/** On every answer, whatever route or error it comes from. */
export function forbidSniffing(app: FastifyInstance): void {
  app.addHook('onRequest', (_request, reply, done) => {
    reply.header(NO_SNIFFING.name, NO_SNIFFING.value)
    done()
  })
}
