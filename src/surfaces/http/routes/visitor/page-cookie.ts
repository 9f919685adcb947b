import type { FastifyReply, FastifyRequest } from 'fastify'

export type PageCookie = {
  readonly name: string
  read(request: FastifyRequest): string | null
  set(reply: FastifyReply, token: string, seconds: number): void
  clear(reply: FastifyReply): void
}

/** The cookie of a signed-in browser. Over https the prefix `__Host-` binds it to this host and to secure connections. */
export function pageCookie(publicUrl: string, plainName = 'tollgate-page'): PageCookie {
  const isSecure = publicUrl.startsWith('https:')
  const name = isSecure ? `__Host-${plainName}` : plainName
  // Lax keeps visitors signed in who follow a link from an email. Forms of other sites do not send it.
  const attributes = `Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
  return {
    name,
    read(request) {
      for (const pair of (request.headers.cookie ?? '').split(';')) {
        const [key, value] = pair.trim().split('=', 2)
        if (key === name && value !== undefined && value !== '') return value
      }
      return null
    },
    set(reply, token, seconds) {
      reply.header('set-cookie', `${name}=${token}; Max-Age=${seconds}; ${attributes}`)
    },
    clear(reply) {
      reply.header('set-cookie', `${name}=; Max-Age=0; ${attributes}`)
    },
  }
}
