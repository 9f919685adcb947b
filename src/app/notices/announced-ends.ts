/**
 * Routes and models that vendors have announced to end, from their public documentation of November
 * 2026. A test fails when nothing in the catalog depends on a row: delete such a row.
 */

/** `route`: a path below a vendor's base address. `model`: a name that an input, a tier or a price list contains. */
export type Ending =
  | { readonly kind: 'route'; readonly baseUrl: string; readonly path: RegExp }
  | { readonly kind: 'model'; readonly name: string }

export type AnnouncedEnd = {
  readonly vendor: string
  /** In the vendor's words. */
  readonly ends: string
  /** In milliseconds since 1970, UTC. A date without a time means its first minute. */
  readonly atMs: number
  readonly successor: string
  readonly source: string
  readonly ending: Ending
  /** Methods of the vendor's SDK that end with it. tools/vendor-sdks.ts allows them meanwhile. */
  readonly sdkMethods?: readonly string[]
}

/** In November 2026 no vendor had announced the end of anything that this version uses. */
export const ANNOUNCED_ENDS: readonly AnnouncedEnd[] = []
