/** `version` changes with the assets, which browsers cache permanently. */
export type Site = { readonly publicUrl: string; readonly version: string }

/** The URL of a file in /assets that browsers cache permanently. */
export function assetUrl({ version }: Site, name: string): string {
  return `/assets/${version}/${name}`
}
