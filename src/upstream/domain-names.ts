import { Resolver } from 'node:dns/promises'
import { AppError } from '../errors/app-error.ts'

const TIMEOUT_MS = 4_000
const NOTHING = new Set(['ENOTFOUND', 'ENODATA', 'ENODOMAIN'])
const KINDS = {
  A: 'A',
  AAAA: 'AAAA',
  MX: 'MX',
  NS: 'NS',
  TXT: 'TXT',
  CAA: 'CAA',
  CNAME: 'CNAME',
} as const

/**
 * Queries the system's name servers. Rejects with AppError `upstream_error` or `upstream_timeout`.
 */
export function createDomainNames(): {
  resolve(domain: string, kind: keyof typeof KINDS): Promise<readonly unknown[]>
} {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: 2 })
  return {
    async resolve(domain, kind) {
      try {
        return (await resolver.resolve(domain, KINDS[kind])) as readonly unknown[]
      } catch (error) {
        const code = String((error as NodeJS.ErrnoException).code)
        if (NOTHING.has(code)) return []
        throw new AppError(
          code === 'ETIMEOUT' ? 'upstream_timeout' : 'upstream_error',
          'The name servers did not respond. Nothing was charged.',
        )
      }
    },
  }
}
