/** The upper bound for a gateway: `node:http` pipes a request to a file, syncs it, answers, and pipes it back. */
import { createReadStream, createWriteStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream/promises'

const path = process.argv[2] ?? ''
const server = createServer((request, response) => {
  if (request.method === 'GET') return void pipeline(createReadStream(path), response)
  void take().catch(() => response.destroy())

  async function take(): Promise<void> {
    await pipeline(request, createWriteStream(path))
    const file = await open(path)
    await file.datasync()
    await file.close()
    response.end()
  }
})
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
process.on('disconnect', () => process.exit())
