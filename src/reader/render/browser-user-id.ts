/** An unassigned id: systemd and Debian leave 65520 to 65533 unused, and containers that map ids include it. */
export const BROWSER_USER_ID = 65_520

/** Reports whether this process runs as root. False on systems without user ids. */
export function isRoot(): boolean {
  return process.getuid?.() === 0
}
