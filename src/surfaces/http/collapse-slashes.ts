/**
 * A URL without repeated slashes in its path. Clients join paths to a base address that ends in a
 * slash. Returns absolute URLs and queries unchanged.
 */
export function collapseSlashes(url: string): string {
  const at = url.indexOf('//')
  if (at === -1 || !url.startsWith('/')) return url
  const query = url.indexOf('?')
  const end = query === -1 ? url.length : query
  return at > end ? url : `${url.slice(0, end).replaceAll(/\/{2,}/g, '/')}${url.slice(end)}`
}
