/** A file of a package. `path` is below the root of the package. */
export type PackageFile = {
  readonly path: string
  readonly content: Buffer
  readonly isExecutable?: boolean
}

/** In the order of their paths, so that equal files make equal archives. */
export function sortFiles(files: readonly PackageFile[]): PackageFile[] {
  return files.toSorted((one, other) => (one.path < other.path ? -1 : 1))
}
