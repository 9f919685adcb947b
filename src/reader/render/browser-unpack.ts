/**
 * Usage: `node browser-unpack.ts`. Unpacks the browser into the folder in TMPDIR and exits. Runs as
 * a separate process, because the package writes to the temporary folder under fixed names, changes
 * the environment when imported, and inflates 200 MB.
 */
const { default: packaged } = await import('@sparticuz/chromium')
await packaged.executablePath()
