import type { FastifyInstance } from 'fastify'
import { runAs } from '../../../../db/author.ts'
import { publicId } from '../../../../lib/ids.ts'

/**
 * Records the requests of `app` that may change something as the author of their changes. A key is
 * known here; `findVisitor` adds the visitor of a page.
 */
export function nameAuthors(app: FastifyInstance): void {
  // After the body is parsed, because its events leave the context of the request.
  app.addHook('preHandler', (request, _reply, done) => {
    if (request.method === 'GET' || request.method === 'HEAD') {
      done()
      return
    }
    const { caller, sessionToken } = request
    const by =
      caller === undefined
        ? 'visitor'
        : sessionToken === undefined
          ? `key ${publicId('key', caller.keyId)}`
          : caller.member === undefined
            ? `browser of ${publicId('account', caller.accountId)}`
            : `member ${publicId('member', caller.member.personId)}`
    runAs({ by, from: request.ip, requestId: publicId('request', request.id) }, done)
  })
}
