import type { ModelRates } from './model-rates.ts'

/** Whether every price of a model is zero. */
export function isFree({ overrides, ...rates }: ModelRates): boolean {
  return (
    Object.values(rates).every((rate) => rate === 0n || rate === undefined) &&
    overrides.every((one) => Object.values(one.rates).every((rate) => (rate ?? 0n) === 0n))
  )
}
