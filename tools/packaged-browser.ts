const MOST_MAJORS_BEHIND = 1

/** Compares the packaged version with the newest one. Null, when the registry fails, is a failure. */
export function checkPackagedBrowser(
  packaged: string,
  newest: string | null,
): { readonly fails: boolean; readonly text: string } {
  if (newest === null)
    return {
      fails: true,
      text: `Chromium ${packaged}: the package registry did not respond, so the browser's age is unknown. Check the network and try again.`,
    }
  const behind = majorOf(newest) - majorOf(packaged)
  // NaN compares as false, so an invalid version fails.
  const fails = !(behind <= MOST_MAJORS_BEHIND)
  return {
    fails,
    text: fails
      ? `Chromium ${packaged} is ${behind} majors behind ${newest}. Update @sparticuz/chromium in package.json, and run "npm test -- src/reader" and "npm run fire".`
      : `Chromium ${packaged}; the newest of its package is ${newest}.`,
  }
}

function majorOf(version: string): number {
  return Number.parseInt(version, 10)
}
