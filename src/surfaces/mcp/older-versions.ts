/** The protocol versions of the SDK. A copy, because loading the SDK takes 0.2 s; a test compares them. */
export const OLDER_VERSIONS: readonly string[] = [
  '2025-11-25',
  '2025-06-18',
  '2025-03-26',
  '2024-11-05',
  '2024-10-07',
]
