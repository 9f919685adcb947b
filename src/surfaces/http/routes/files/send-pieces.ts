import type { ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'
import { publicId } from '../../../../lib/ids.ts'
import type { Pieces } from '../../../../resources/files/store.ts'

const ignore = (): void => {}

/** Answers with the reply's status and headers and the pieces, each written once the one before is on its way. A client that leaves ends it. */
export async function sendPieces(reply: FastifyReply, pieces: Pieces): Promise<FastifyReply> {
  reply.hijack()
  const { raw } = reply
  raw.writeHead(reply.statusCode, reply.getHeaders() as Record<string, string>)
  // A write that finds the connection gone says so here too; unheard, that would end the process.
  raw.on('error', ignore)
  const gone = Promise.withResolvers<never>()
  // Always heard, also when it comes after the last piece.
  gone.promise.catch(ignore)
  raw.once('close', () => gone.reject(new ClientGone('the client left')))
  try {
    await pieces((piece) => Promise.race([written(raw, piece), gone.promise]))
    raw.end()
  } catch (error) {
    // Fewer bytes than announced: only a broken connection says so.
    raw.destroy()
    if (!(error instanceof ClientGone))
      reply.log.error(
        { err: error, request_id: publicId('request', reply.request.id) },
        'a file could not be sent',
      )
  }
  return reply
}

class ClientGone extends Error {
  override readonly name = 'ClientGone'
}

function written(raw: ServerResponse, piece: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    raw.write(piece, (error) =>
      error === null || error === undefined
        ? resolve()
        : reject(new ClientGone('the client left', { cause: error })),
    )
  })
}
