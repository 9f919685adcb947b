import type { Services } from './actions.d.ts'
import { Client } from './client.ts'
import type { TollgateSettings } from './settings.ts'

/** A client of one gateway with one key. Each service of the catalog is a member of it. */
export type Tollgate = Client & Omit<Services, keyof Client>

/**
 * Throws TollgateError invalid_settings without a key or an address. An action that is newer than
 * the types is called at run time, too.
 */
export const Tollgate = Client as new (settings?: TollgateSettings) => Tollgate
