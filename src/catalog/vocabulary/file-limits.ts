/**
 * Limits per file (100 MiB) and per account (2 GiB), in binary megabytes like disks and most file
 * services.
 */
export const MAX_FILE_BYTES = 100 * 1024 * 1024
export const MAX_ACCOUNT_BYTES = 2 * 1024 * 1024 * 1024
