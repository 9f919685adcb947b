import { localUrl, type Config } from './config.ts'

/** The one page of this gateway that its own readers may fetch from a private address: the first example call reads it. */
export function ownPagesOf(config: Pick<Config, 'publicUrl' | 'host' | 'port'>): string[] {
  return [...new Set([`${config.publicUrl}/guide`, `${localUrl(config)}/guide`])]
}
