import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import { AppError } from '../errors/app-error.ts'

/** The whole body as UTF-8 text. Throws AppError upstream_error when it is larger than `maxBytes`. */
export async function readText(body: Readable & { text(): Promise<string> }, headers: IncomingHttpHeaders, maxBytes: number): Promise<string> {
  const announced = Number(headers['content-length'])
  // The announced length is checked by the HTTP parser, so a small one needs no counting.
  if (announced <= maxBytes) return body.text()
  if (announced > maxBytes) {
    body.destroy()
    throw tooLarge(maxBytes)
  }
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > maxBytes) throw tooLarge(maxBytes)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function tooLarge(maxBytes: number): AppError {
  return new AppError('upstream_error', `The upstream service answered with more than ${maxBytes} bytes. Nothing was charged.`)
}
