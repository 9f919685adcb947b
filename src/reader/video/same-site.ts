/** Reports whether two hosts (with their ports) are the same site, ignoring "www.". */
export function isSameSite(one: string, other: string): boolean {
  const bare = (host: string) => host.toLowerCase().replace(/^www\./, '')
  return bare(one) === bare(other)
}
