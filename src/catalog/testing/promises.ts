/** The promises of all services: published prices, parameters, limits and choices. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { serviceFolders } from './service-folders.ts'

/** An action, its price, and its parameters; "!" marks required ones. */
export type Offer = readonly [action: string, price: string, params: string]

/**
 * The smallest and largest value of a field (length of a text, items of a list), and its default.
 */
export type Limit = readonly [
  action: string,
  field: string,
  least: number,
  most: number,
  preset?: unknown,
]

/** The values of a field, separated by spaces, and its default. */
export type Choice = readonly [action: string, field: string, values: string, preset?: string]

export type Promises = {
  readonly offers: readonly Offer[]
  readonly limits?: readonly Limit[]
  readonly choices?: readonly Choice[]
}

/** Loads the `promises.ts` files of all services. */
export async function loadPromises(
  serviceIds: readonly string[],
): Promise<ReadonlyMap<string, Required<Promises>>> {
  const loaded = serviceIds.map(async (id) => {
    const parts = await Promise.all(serviceFolders(id).map(readPromises))
    return [
      id,
      {
        offers: parts.flatMap(({ offers }) => offers),
        limits: parts.flatMap(({ limits = [] }) => limits),
        choices: parts.flatMap(({ choices = [] }) => choices),
      },
    ] as const
  })
  return new Map(await Promise.all(loaded))
}

async function readPromises(folder: string): Promise<Promises> {
  return (await import(pathToFileURL(join(folder, 'promises.ts')).href)) as Promises
}
