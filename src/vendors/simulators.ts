/**
 * Loads the simulated vendors. Each `simulator.ts` of a vendor's folder exports `simulators` by
 * label.
 */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { invariant } from '../errors/app-error.ts'
import type { SimulatedVendor } from '../simulators/vendor.ts'

export type SimulatedVendors = Readonly<Record<string, SimulatedVendor>>

/** Throws if two folders simulate the same label. */
export async function loadSimulators(folder = import.meta.dirname): Promise<SimulatedVendors> {
  const names = await readdir(folder, { recursive: true })
  const files = names.filter((name) => /^[^/\\]+[/\\]simulator\.ts$/.test(name)).toSorted()
  const vendors: Record<string, SimulatedVendor> = {}
  for (const file of files) {
    const { simulators } = await importSimulator(join(folder, file))
    for (const [label, vendor] of Object.entries(simulators)) {
      invariant(!Object.hasOwn(vendors, label), `two folders of src/vendors simulate "${label}"`)
      vendors[label] = vendor
    }
  }
  return vendors
}

async function importSimulator(file: string): Promise<{ readonly simulators: SimulatedVendors }> {
  return (await import(pathToFileURL(file).href)) as { readonly simulators: SimulatedVendors }
}
