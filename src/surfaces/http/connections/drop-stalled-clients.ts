import { ServerResponse, type Server } from 'node:http'

/**
 * Ends the connection of a client that takes nothing for `stalledMs` of an answer which lies ready for it: it has gone
 * without a word, and the answer would stay in memory for as long as it likes. An answer that is not there yet may take its
 * time. Those of the direct way look after it themselves.
 */
export function dropStalledClients(server: Server, stalledMs: number): void {
  server.on('request', (_request, response) => {
    if (!(response instanceof ServerResponse)) return
    response.setTimeout(stalledMs, () => {
      if ((response.socket?.writableLength ?? 0) > 0) response.destroy()
    })
  })
}
