/**
 * fast-check with the same cases in every run, so that a commit is right or wrong and not now this, now that.
 * PROPERTY_SEED=<number> tries others.
 */
import fc from 'fast-check'

const SEED = 20_261_120

fc.configureGlobal({ seed: Number(process.env['PROPERTY_SEED'] ?? SEED) })

export { fc }
