/**
 * - ok: works.
 * - unchecked: set, but a test would cost money.
 * - missing: optional and not set up; the gateway runs without it.
 * - warning: works, but the operator should act.
 * - broken: the gateway does not work correctly.
 */
export type Check = {
  readonly name: string
  readonly state: 'ok' | 'unchecked' | 'missing' | 'warning' | 'broken'
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
export const warning = (name: string, found: string, fix: string): Check => ({
  name,
  state: 'warning',
  found,
  fix,
})
