const OWN_SERVER = 'Set DATABASE_URL to use a PostgreSQL of your own.'

const ADVICE: readonly (readonly [said: RegExp, advice: string])[] = [
  [
    /No space left on device/,
    'The disk is full: make room, or set DATA_DIR to a folder on another one.',
  ],
  [
    /incompatible with server/,
    'Its data come from another version of PostgreSQL. Start the Tollgate that made them, or set DATA_DIR to a new folder; docs/operating.md tells how data are moved.',
  ],
  [
    /has invalid permissions/,
    'Others may read that folder, which PostgreSQL does not put up with: chmod 700 it.',
  ],
  [
    /has wrong ownership/,
    'The data belong to another user: run Tollgate as that one, or give it the whole DATA_DIR with chown -R.',
  ],
  [
    /unshare: /,
    `PostgreSQL does not run as root, and root may not stand in for an ordinary user here, which is usual in containers. Run Tollgate as an ordinary user (docker run --user node). ${OWN_SERVER}`,
  ],
]

/** What an operator can do about a built-in PostgreSQL that did not start, by what it said. */
export function startAdvice(said: string): string {
  return ADVICE.find(([pattern]) => pattern.test(said))?.[1] ?? OWN_SERVER
}
