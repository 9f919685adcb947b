/** Values that this browser remembers. Reads return null, and writes do nothing, where storage is blocked. */
type Name = 'theme' | 'language' | 'signed-in' | 'test-key'

export function recall(name: Name): string | null {
  try {
    return localStorage.getItem(`tollgate.${name}`)
  } catch {
    return null
  }
}

export function remember(name: Name, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(`tollgate.${name}`)
    else localStorage.setItem(`tollgate.${name}`, value)
  } catch {
    // Storage is blocked or full: the choice lasts for this page.
  }
}
