/** What an account may keep: 100 MB a file and 2 GB in all, counted as disks and most file services count them. */
export const MAX_FILE_BYTES = 100 * 1024 * 1024
export const MAX_ACCOUNT_BYTES = 2 * 1024 * 1024 * 1024
