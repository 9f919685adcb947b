/** Names of services and actions in the catalog and in code. */

/** `onescrape-deep` becomes `onescrapeDeep`. Names with an underscore stay as they are. */
export function toCodeName(name: string): string {
  return name.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

/** `onescrapeDeep` becomes `onescrape-deep`; names of the catalog stay as they are. */
export function toCatalogName(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}
