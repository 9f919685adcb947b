const MOST_MAJORS_BEHIND = 1

/** Compares the packaged version with the newest of the registry; null where that could not be asked, which fails too. */
export function checkPackagedBrowser(
  packaged: string,
  newest: string | null,
): { readonly fails: boolean; readonly text: string } {
  if (newest === null)
    return {
      fails: true,
      text: `Chromium ${packaged}: the package registry did not answer, so its age is not known. Run this again with a network.`,
    }
  const behind = majorOf(newest) - majorOf(packaged)
  // Written so that a version that is no number fails.
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
