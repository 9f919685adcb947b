/**
 * - ok: works.
 * - unchecked: set, and cannot be tried for nothing.
 * - missing: optional and not there; the gateway runs without it.
 * - broken: keeps the gateway from working as it should.
 */
export type Check = {
  readonly name: string
  readonly state: 'ok' | 'unchecked' | 'missing' | 'broken'
  readonly found: string
  readonly fix: string | null
}

export const ok = (name: string, found: string): Check => ({ name, state: 'ok', found, fix: null })
export const unchecked = (name: string, found: string): Check => ({
  name,
  state: 'unchecked',
  found,
  fix: null,
})
export const missing = (name: string, found: string, fix: string): Check => ({
  name,
  state: 'missing',
  found,
  fix,
})
export const broken = (name: string, found: string, fix: string): Check => ({
  name,
  state: 'broken',
  found,
  fix,
})
