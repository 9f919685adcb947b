import type { SimulatedVendor } from './vendor.ts'
import { llm } from './vendors/llm.ts'

/** Those who sell language models. */
export const modelVendors: Readonly<Record<string, SimulatedVendor>> = { llm }
