import type { SMTPServer } from 'smtp-server'

/** A client needs four commands for a message, and one for each further recipient. */
export const MOST_COMMANDS = 1_000
const LONGEST_CONNECTION_MS = 900_000
const CHECK_MS = 30_000

type Connection = SMTPServer['connections'] extends Set<infer Item> ? Item : never

/** Ends connections with too many commands or of too long a life; the library limits neither. Returns the function that stops it. */
export function limitCommands(server: SMTPServer): () => void {
  const startedMs = new WeakMap<Connection, number>()
  server.on('connect', ({ id }) => {
    const connection = [...server.connections].find((open) => open.id === id)
    if (connection === undefined) return
    startedMs.set(connection, performance.now())
    let count = 0
    const handle = connection._onCommand.bind(connection)
    connection._onCommand = (command, callback) => {
      count += 1
      if (count > MOST_COMMANDS) endConnection(connection, '4.7.0 Too many commands')
      else handle(command, callback)
    }
  })
  const timer = setInterval(() => {
    for (const connection of server.connections)
      if (
        performance.now() - (startedMs.get(connection) ?? performance.now()) >
        LONGEST_CONNECTION_MS
      )
        endConnection(connection, '4.4.2 The connection is too old')
  }, CHECK_MS)
  timer.unref()
  return () => clearInterval(timer)
}

export function endConnection(connection: Connection, text: string): void {
  connection.send(421, text, false)
  connection.close()
}
