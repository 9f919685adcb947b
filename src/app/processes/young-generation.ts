import { setFlagsFromString } from 'node:v8'

/**
 * Keeps the heap's young generation at its first size. Otherwise the garbage of a start makes it grow,
 * and 50 MB of empty memory stay. V8 ignores this flag on the command line.
 */
export function limitYoungGeneration(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
}

/** Lets the young generation grow with the load, as V8 does by default. */
export function growYoungGeneration(): void {
  setFlagsFromString('--semi-space-growth-factor=2')
}
