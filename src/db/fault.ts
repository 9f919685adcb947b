/**
 * What a failed statement says about itself, which decides what to do next:
 * - `data`: this statement cannot work; nothing of it was kept, and asking again changes nothing.
 * - `contention`: it lost against another one (a deadlock); nothing of it was kept, and asking again works.
 * - `connection`: the connection or the server broke; whether it was committed is unknown.
 */
export type Fault = 'data' | 'contention' | 'connection'

// PostgreSQL names its errors by five characters (SQLSTATE); an error without them came from the network.
// Classes 08 and 57 tell of the connection and of shutdown, 53 of resources, 58 and XX of the server itself.
const SQLSTATE = /^[0-9A-Z]{5}$/
const OF_THE_SERVER = /^(08|53|57|58|XX)/
// 25006: the server became a read-only standby. A new connection may find the one that took over.
const READ_ONLY = '25006'

export function faultOf(error: unknown): Fault {
  const code = (error as { code?: unknown } | null)?.code
  if (typeof code !== 'string' || !SQLSTATE.test(code) || OF_THE_SERVER.test(code) || code === READ_ONLY) return 'connection'
  return code.startsWith('40') ? 'contention' : 'data'
}
