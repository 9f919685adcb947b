import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { openAppBed } from '../../../../../test/harness/beds/app.ts'

// Longer than a stopping gateway waits for an incomplete request.
const STOPPING_MS = 2_500

test('completes an upload that is in progress when the gateway stops', async () => {
  const bed = await openAppBed()
  const url = await bed.app.listen({ port: 0, host: '127.0.0.1' })
  const slot = (await bed.post('/api/run/files/upload', { filename: 'a', size_bytes: 4 })).json<{
    data: { put_url: string }
  }>().data
  const request = httpRequest(slot.put_url.replace('https://gate.example', url), {
    method: 'PUT',
    headers: { 'content-length': 4 },
  })
  const answered = once(request, 'response') as Promise<[IncomingMessage]>
  const begun = once(bed.app.server, 'request')
  request.write('ab')
  await begun
  const stopping = bed.app.close()
  setTimeout(() => request.end('cd'), STOPPING_MS)
  const [response] = await answered
  assert.equal(response.statusCode, 200, await text(response))
  await stopping
})
