import { ServerResponse, type Server } from 'node:http'

/**
 * Closes the connection of a client that reads nothing of a ready response for `stalledMs`, because a
 * client that vanished would keep the response in memory. Responses that are not ready yet do not count.
 * `DirectConnection` does this itself.
 */
export function dropStalledClients(server: Server, stalledMs: number): void {
  server.on('request', (_request, response) => {
    if (!(response instanceof ServerResponse)) return
    response.setTimeout(stalledMs, () => {
      if ((response.socket?.writableLength ?? 0) > 0) response.destroy()
    })
  })
}
