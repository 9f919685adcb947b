import { listServices } from '../../app/wiring/own/read-own.ts'
import { createCatalog, type Entry } from '../../catalog/index.ts'
import type { Tools } from './command.ts'

/** The actions of the gateway and of the operator's files. */
export async function allActions(tools: Pick<Tools, 'config' | 'now'>): Promise<readonly Entry[]> {
  return createCatalog(await listServices(tools.config(), tools.now())).allActions()
}
