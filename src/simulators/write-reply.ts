import type { ServerResponse } from 'node:http'
import type { SimulatedReply } from './vendor.ts'
import { writePieces } from './write-pieces.ts'

export function writeReply(response: ServerResponse, reply: SimulatedReply): void {
  const { status, json, text = '', contentType = 'text/plain; charset=utf-8', headers = {} } = reply
  if (response.destroyed) return
  if (reply.pieces !== undefined) return writePieces(response, reply, reply.pieces)
  const body = Buffer.from(json === undefined ? text : JSON.stringify(json))
  response.writeHead(status, {
    'content-type': json === undefined ? contentType : 'application/json',
    'content-length': body.length,
    ...headers,
  })
  response.end(body)
}
