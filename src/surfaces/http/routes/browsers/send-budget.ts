import type { WebSocket } from 'ws'

type Socket = Pick<WebSocket, 'bufferedAmount' | 'on' | 'send' | 'terminate'>

/** The memory for unread messages of all clients of one session. */
export type SendBudget = {
  add(socket: Socket): void
  /** Sends a text. Above the budget, the clients with the most unread bytes are disconnected first. */
  send(socket: Socket, text: Buffer): void
}

const MOST_UNSENT_BYTES = 32 * 1024 * 1024

export function createSendBudget(mostBytes = MOST_UNSENT_BYTES): SendBudget {
  const sockets = new Set<Socket>()
  return {
    add(socket) {
      sockets.add(socket)
      socket.on('close', () => sockets.delete(socket))
    },
    send(socket, text) {
      const unsentBy = (one: Socket): number =>
        one.bufferedAmount + (one === socket ? text.length : 0)
      const unsent = (): number => [...sockets].reduce((sum, one) => sum + unsentBy(one), 0)
      while (sockets.has(socket) && unsent() > mostBytes) {
        const slowest = [...sockets].reduce((one, other) =>
          unsentBy(other) > unsentBy(one) ? other : one,
        )
        sockets.delete(slowest)
        // A close frame would wait behind the unread messages.
        slowest.terminate()
      }
      if (sockets.has(socket)) socket.send(text, { binary: false })
    },
  }
}
