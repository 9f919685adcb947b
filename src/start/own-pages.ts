import type { Config } from './config.ts'

/** The one page of this gateway that its own readers may fetch although it is on a private address: the first example call reads it. */
export function ownPagesOf({ publicUrl, host, port }: Pick<Config, 'publicUrl' | 'host' | 'port'>): string[] {
  const local = `http://${host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host}:${port}`
  return [...new Set([`${publicUrl}/guide`, `${local}/guide`])]
}
