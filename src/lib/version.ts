import { readFileSync } from 'node:fs'

/** The version of Tollgate, as package.json tells it. */
export function versionOfTollgate(): string {
  const { version } = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  ) as { readonly version: string }
  return version
}
