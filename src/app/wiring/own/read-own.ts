import {
  hashOf,
  NO_FOLDER,
  readFolder,
  type FileFault,
  type OwnFolder,
} from '../../../catalog/own/read-folder.ts'
import type { Service } from '../../../catalog/vocabulary/define.ts'
import { services as builtIn } from '../../../vendors/index.ts'
import type { Config } from '../../settings/config.ts'

/** The operator's own actions. With faults, nothing of them may be used. */
export type Own = {
  readonly folder: OwnFolder
  /** Empty without any file. Processes with the same hash have the same actions and prices. */
  readonly hash: string
  readonly faults: readonly FileFault[]
}

type OwnSettings = Pick<Config, 'actionsDir'>

export function hasOwnFiles({ actionsDir }: OwnSettings): boolean {
  return actionsDir !== null
}

/** Reads the files that the settings name. Never throws. */
export async function readOwn({ actionsDir }: OwnSettings): Promise<Own> {
  const folder = actionsDir === null ? NO_FOLDER : await readFolder(actionsDir, takenNames())
  return {
    folder,
    hash: folder.hash === '' ? '' : hashOf([folder.hash]),
    faults: folder.faults,
  }
}

/** The services of the gateway and of the operator's files. Without those of faulty files. */
export async function listServices(settings: OwnSettings): Promise<readonly Service[]> {
  return [...builtIn, ...(await readOwn(settings)).folder.services]
}

/** The router and the paid fetch are no services of the catalog, but their calls have these names. */
const OTHER_NAMES = ['llm', 'fetch', 'api', 'tollgate']

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
