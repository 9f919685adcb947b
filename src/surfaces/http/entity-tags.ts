/** Whether If-None-Match names the tag of what is there; `*` names every one. Compared weakly, as RFC 9110 has it. */
export function hasTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false
  return (
    header === tag ||
    header.trim() === '*' ||
    header.split(',').some((listed) => listed.trim().replace(/^W\//, '') === tag)
  )
}
