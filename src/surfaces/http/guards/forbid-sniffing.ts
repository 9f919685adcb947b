import type { Guard } from '../route-objects.ts'

/** Makes browsers use the Content-Type of a response instead of guessing one. */
export const NO_SNIFFING = { name: 'x-content-type-options', value: 'nosniff' } as const

/** Adds the header to every response, including errors. */
export const forbidSniffing: Guard = (_request, reply, done) => {
  reply.header(NO_SNIFFING.name, NO_SNIFFING.value)
  done()
}
