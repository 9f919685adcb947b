import type { SimulatedVendor } from './vendor.ts'
import { llm } from './vendors/llm.ts'
import { llmnativeA } from './vendors/llmnative-a.ts'
import { llmnativeB } from './vendors/llmnative-b.ts'

/** Those who sell language models. The router and the service of the same aggregator speak one wire. */
export const modelVendors: Readonly<Record<string, SimulatedVendor>> = { llm, router2: llm, 'llmnative-a': llmnativeA, 'llmnative-b': llmnativeB }
