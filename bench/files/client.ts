/** Sends and fetches large files with minimal work, because it shares the machine with the measured process. */
import { once } from 'node:events'
import { get, request, type IncomingMessage } from 'node:http'

/** Sends `block` repeatedly, `bytes` in total. Throws for any status except 200. */
export async function send(url: string, block: Buffer, bytes: number): Promise<void> {
  const outgoing = request(url, { method: 'PUT', headers: { 'content-length': bytes } })
  const answered = once(outgoing, 'response') as Promise<[IncomingMessage]>
  for (let at = 0; at < bytes; at += block.length)
    if (!outgoing.write(block)) await once(outgoing, 'drain')
  outgoing.end()
  const [response] = await answered
  response.resume()
  await once(response, 'end')
  if (response.statusCode !== 200) throw new RangeError(`answered ${response.statusCode}`)
}

/** Reads a file to its end. Throws when its size differs. */
export async function fetchAll(url: string, bytes: number): Promise<void> {
  const [response] = (await once(get(url), 'response')) as [IncomingMessage]
  let came = 0
  response.on('data', (chunk: Buffer) => (came += chunk.length))
  await once(response, 'end')
  if (came !== bytes) throw new RangeError(`${came} bytes came`)
}
