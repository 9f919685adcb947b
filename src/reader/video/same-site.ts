/** Whether two hosts (with their ports) are one site: "www." makes no difference. */
export function isSameSite(one: string, other: string): boolean {
  const bare = (host: string) => host.toLowerCase().replace(/^www\./, '')
  return bare(one) === bare(other)
}
