/**
 * The parts of the gateway that replace a vendor by means of this machine. A new part: a row here, a
 * test in `src/surfaces/cli/doctor/in-house.ts`, and a row and a section in `docs/in-house.md`.
 */
export type Part = {
  /** The name of the doctor's check. */
  readonly title: string
  /** A sentence for the log and the doctor, without its full stop. */
  readonly effect: string
  /** Programs in PATH without which the part is off, with their Debian packages. */
  readonly programs: readonly { readonly name: string; readonly debianPackage: string }[]
}

/** By the word in IN_HOUSE. */
export const IN_HOUSE_PARTS = {
  git: {
    title: 'repositories',
    effect: 'gitstore stores repositories on this machine',
    programs: [{ name: 'git', debianPackage: 'git' }],
  },
  inboxes: {
    title: 'inboxes',
    effect: 'inbox receives and sends email at MAIL_DOMAIN, or without it on this machine only',
    programs: [],
  },
  emails: {
    title: 'email checks',
    effect:
      'contactfind, emailintel and emailasync verify addresses and find published ones from this machine',
    programs: [],
  },
  readers: {
    title: 'page readers',
    effect: 'unblock, and with EGRESS_PROXIES proxy and geoegress, read pages from this machine',
    programs: [],
  },
  search: {
    title: 'web search',
    effect: 'indep, rag, semantic, cited and other services search with SearXNG at SEARXNG_URL',
    programs: [],
  },
  sandboxes: {
    title: 'sandboxes',
    effect: 'sandbox runs programs on this machine, isolated from it',
    programs: [],
  },
  sessions: {
    title: 'compute sessions',
    effect:
      'boxb, boxd and boxe, and with gVisor or IN_HOUSE boxa, run programs on this machine, isolated from it',
    programs: [],
  },
  media: {
    title: 'media models',
    effect: 'media/generate runs ffmpeg and espeak-ng on this machine, isolated from it',
    // Each works without the other, so the doctor tests them.
    programs: [],
  },
  browsers: {
    title: 'browser sessions',
    effect: 'browser/create_session opens browsers on this machine',
    programs: [
      { name: 'bwrap', debianPackage: 'bubblewrap' },
      { name: 'setpriv', debianPackage: 'util-linux' },
    ],
  },
} as const satisfies Readonly<Record<string, Part>>

export type InHousePart = keyof typeof IN_HOUSE_PARTS

export const IN_HOUSE_PART_NAMES = Object.keys(IN_HOUSE_PARTS) as readonly InHousePart[]
