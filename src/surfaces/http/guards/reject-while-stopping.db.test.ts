import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { it } from 'node:test'
import { openAppBed } from '../../../../test/harness/beds/app.ts'
import { cleanUp } from '../../../../test/harness/clean-up.ts'

it('rejects a request during a stop with an error envelope', async () => {
  const { app } = await openAppBed()
  await app.listen({ port: 0, host: '127.0.0.1' })
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1').setEncoding(
    'utf8',
  )
  cleanUp(() => socket.destroy())
  // The second request begins before the stop, so its connection is not idle and stays open.
  socket.write('GET /healthz HTTP/1.1\r\nHost: gate\r\n\r\nGET /api/run HTTP/1.1\r\n')
  const [before] = (await once(socket, 'data')) as [string]
  assert.match(before, /^HTTP\/1\.1 200 /)

  const closed = app.close()
  while (app.server.listening) await turn()
  let after = ''
  socket.on('data', (text: string) => (after += text))
  socket.write('Host: gate\r\n\r\n')
  await once(socket, 'close')
  await closed
  assert.match(after, /^HTTP\/1\.1 503 /)
  assert.match(after, /retry-after: 1\r\n/i)
  assert.match(after, /"code":"shutting_down"/)
})
