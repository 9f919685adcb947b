import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { hostname } from 'node:os'

/** Eight hexadecimal digits, the same in all processes of this machine and after a restart. */
export function machineId(): string {
  const own = existsSync('/etc/machine-id') ? readFileSync('/etc/machine-id', 'utf8') : ''
  return createHash('sha256').update(`${hostname()}\n${own}`).digest('hex').slice(0, 8)
}
