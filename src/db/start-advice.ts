const OWN_SERVER = 'To use your own PostgreSQL, set DATABASE_URL.'

const ADVICE: readonly (readonly [output: RegExp, advice: string])[] = [
  [
    /No space left on device/,
    'The disk is full: free some space, or set DATA_DIR to a folder on another disk.',
  ],
  [
    /incompatible with server/,
    'The data is from another version of PostgreSQL. Start the Tollgate version that created it, or set DATA_DIR to a new folder. docs/operating.md describes how to move data.',
  ],
  [
    /has invalid permissions/,
    'Other users can read this folder, which PostgreSQL refuses: run chmod 700 on it.',
  ],
  [
    /has wrong ownership/,
    'The data belongs to another user: run Tollgate as that user, or change the owner of DATA_DIR with chown -R.',
  ],
  [
    /unshare: /,
    `PostgreSQL does not run as root, and root cannot create a user namespace here, which is usual in containers. Run Tollgate as an ordinary user (docker run --user node). ${OWN_SERVER}`,
  ],
]

/** Advice for the operator when the built-in PostgreSQL does not start, by its output. */
export function findStartAdvice(output: string): string {
  return ADVICE.find(([pattern]) => pattern.test(output))?.[1] ?? OWN_SERVER
}
