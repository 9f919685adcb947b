/** The mode of a key and its calls: `live` spends real credit at real vendors, `test` uses simulations and test credit. */
export type Mode = 'live' | 'test'
