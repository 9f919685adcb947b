import type { ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'
import { publicId } from '../../../../lib/ids.ts'
import { onGone } from '../../connections/client-gone.ts'
import type { Pieces } from '../../../../resources/files/store.ts'

const ignore = (): void => {}

/** Sends status, headers and pieces, each after the previous one was written. Stops when the client disconnects. */
export async function sendPieces(reply: FastifyReply, pieces: Pieces): Promise<FastifyReply> {
  reply.hijack()
  const { raw } = reply
  raw.writeHead(reply.statusCode, reply.getHeaders() as Record<string, string>)
  // A write to a closed connection emits an error here, too. Without a listener it would end the process.
  raw.on('error', ignore)
  const gone = Promise.withResolvers<never>()
  // Handles a rejection after the last piece, too.
  gone.promise.catch(ignore)
  onGone(raw, () => gone.reject(new ClientGone('the client disconnected')))
  try {
    await pieces((piece) => Promise.race([written(raw, piece), gone.promise]))
    raw.end()
  } catch (error) {
    // Only a broken connection shows the client that bytes are missing.
    raw.destroy()
    if (!(error instanceof ClientGone))
      reply.log.error(
        { err: error, request_id: publicId('request', reply.request.id) },
        'sending a file failed',
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
        : reject(new ClientGone('the client disconnected', { cause: error })),
    )
  })
}
