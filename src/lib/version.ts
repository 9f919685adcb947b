import manifest from '../../package.json' with { type: 'json' }

/** Of Tollgate. */
export const VERSION: string = manifest.version
