/** Of a key and all that it does: `live` spends real credit at real vendors, `test` play money at simulations. */
export type Mode = 'live' | 'test'
