import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { PackageFile } from '../src/surfaces/http/packages/package-file.ts'

/** Replaces the folder dist of a package. */
export function writeDist(folder: string, files: readonly PackageFile[]): void {
  rmSync(join(folder, 'dist'), { recursive: true, force: true })
  for (const { path, content, isExecutable } of files) {
    if (!path.startsWith('dist/')) continue
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content, { mode: isExecutable === true ? 0o755 : 0o644 })
  }
}
