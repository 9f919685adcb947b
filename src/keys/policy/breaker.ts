/** The reaction to a key that repeats itself, from the mildest to the strictest. */
export const BREAKERS = ['off', 'warn', 'stop'] as const
export type Breaker = (typeof BREAKERS)[number]

export const DEFAULT_BREAKER: Breaker = 'warn'

/** The strictest setting: keys above tighten those below them, never the reverse. */
export function strictestBreaker(settings: readonly Breaker[]): Breaker {
  return BREAKERS[Math.max(0, ...settings.map((setting) => BREAKERS.indexOf(setting)))] ?? 'off'
}
