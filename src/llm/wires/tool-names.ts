/** Names of tools in chat completions: upstreams reject long names and other characters. */
import { hash } from 'node:crypto'

const LONGEST = 64
const VALID = /^[A-Za-z_][\w-]{0,63}$/

/**
 * The name for an upstream, always the same for a name of the caller. A changed name ends with a
 * hash, so that two names stay different.
 */
export function upstreamName(name: string): string {
  if (VALID.test(name)) return name
  const plain = name.replaceAll(/[^\w-]/g, '_')
  const end = `_${hash('sha256', name).slice(0, 8)}`
  // The end names the tool, after the names of servers and plugins.
  return `${plain.slice(1 + end.length - LONGEST).replace(/^(?![A-Za-z_])/, '_')}${end}`
}
