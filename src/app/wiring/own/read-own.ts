import { FETCH_NAME } from '../../../calls/fetch/fetch-and-pay.ts'
import {
  hashOf,
  NO_FOLDER,
  readFolder,
  type FileFault,
  type OwnFolder,
} from '../../../catalog/own/read-folder.ts'
import { NO_PRICES, readPrices } from '../../../catalog/own/read-prices.ts'
import { priceServices, type PriceRules } from '../../../catalog/prices/price-rules.ts'
import type { Service } from '../../../catalog/vocabulary/define.ts'
import { services as builtIn } from '../../../vendors/index.ts'
import type { Config } from '../../settings/config.ts'

/** The operator's own actions. With faults, nothing of them may be used. */
export type Own = {
  readonly folder: OwnFolder
  readonly prices: PriceRules
  /** Empty without any file. Processes with the same hash have the same actions and prices. */
  readonly hash: string
  readonly faults: readonly FileFault[]
}

type OwnSettings = Pick<Config, 'actionsDir' | 'pricesFile'>

export function hasOwnFiles({ actionsDir, pricesFile }: OwnSettings): boolean {
  return actionsDir !== null || pricesFile !== null
}

/** Reads the files that the settings name. Never throws. */
export async function readOwn({ actionsDir, pricesFile }: OwnSettings): Promise<Own> {
  const folder = actionsDir === null ? NO_FOLDER : await readFolder(actionsDir, takenNames())
  const prices =
    pricesFile === null ? NO_PRICES : readPrices(pricesFile, [...builtIn, ...folder.services])
  return {
    folder,
    prices: prices.rules,
    hash: folder.hash === '' && prices.hash === '' ? '' : hashOf([folder.hash, prices.hash]),
    faults: [...folder.faults, ...prices.faults],
  }
}

/** The services of the gateway and of the operator's files, at the operator's prices. Without those of faulty files. */
export async function listServices(
  settings: OwnSettings,
  nowMs: number,
): Promise<readonly Service[]> {
  const { folder, prices } = await readOwn(settings)
  return priceServices([...builtIn, ...folder.services], prices, nowMs)
}

/** Calls of the router and of the paid fetch have names like services. The others would mislead readers of a receipt. */
const OTHER_NAMES = ['llm', FETCH_NAME.service, 'fetch', 'api', 'tollgate', 'unknown']

/** Names of services, and the labels of settings (UPSTREAM_<LABEL>_KEY) and simulators. */
export function takenNames(): ReadonlySet<string> {
  const labels = builtIn.flatMap(({ id, vendor, actions }) => [
    id,
    vendor?.label ?? id,
    ...Object.values(actions).flatMap((action) =>
      action.kind === 'endpoint'
        ? action.endpoints.flatMap((entry) => [entry.vendor?.label, entry.openSource?.vendor.label])
        : action.kind === 'call'
          ? [action.openSource?.vendor.label]
          : [],
    ),
  ])
  return new Set([...OTHER_NAMES, ...labels.filter((label) => label !== undefined)])
}
