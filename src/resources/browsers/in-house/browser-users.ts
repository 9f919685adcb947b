/**
 * Unassigned ids: systemd and Debian leave 65520 to 65533 unused, and containers that map ids include
 * them. The reader's browser uses the first one.
 */
const FIRST = 65_521
const LAST = 65_533

const taken = new Map<number, number>()

export type BrowserUser = { readonly id: number | null; readonly release: () => void }

/** The user id with the fewest browsers; null if this process cannot change users. */
export function takeBrowserUser(canChangeUser: boolean): BrowserUser {
  if (!canChangeUser) return { id: null, release: () => undefined }
  let id = FIRST
  for (let other = FIRST; other <= LAST; other += 1)
    if ((taken.get(other) ?? 0) < (taken.get(id) ?? 0)) id = other
  taken.set(id, (taken.get(id) ?? 0) + 1)
  return { id, release: () => void taken.set(id, (taken.get(id) ?? 1) - 1) }
}
