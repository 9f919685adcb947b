import { resolve } from 'node:path'

/** The folder of the gateway's program, which programs of customers must not see. */
export const CHECKOUT = resolve(import.meta.dirname, '../../../..')
