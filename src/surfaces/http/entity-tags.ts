/** Whether If-None-Match matches the tag, by weak comparison (RFC 9110). `*` matches any tag. */
export function hasTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false
  return (
    header === tag ||
    header.trim() === '*' ||
    header.split(',').some((listed) => listed.trim().replace(/^W\//, '') === tag)
  )
}
