/**
 * Unpacks the browser into the folder named by TMPDIR and ends: `node browser-unpack.ts`. A process of its own, because
 * the package writes to the temporary folder under fixed names, changes the environment when it is imported, and
 * inflates 200 MB.
 */
const { default: packaged } = await import('@sparticuz/chromium')
await packaged.executablePath()
