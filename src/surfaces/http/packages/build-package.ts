import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { PACKAGE_NAMES } from '../html/code/install-lines.ts'
import { writeTar } from './archive/tar.ts'
import { writeZip } from './archive/zip.ts'
import { cliFiles, sdkFiles } from './npm-packages.ts'
import { wheelFiles } from './python-wheel.ts'
import type { PackageFile } from './package-file.ts'

const compress = promisify<Buffer, Buffer>(gzip)

const BUILDS: Readonly<Record<string, () => Promise<Buffer>>> = {
  [PACKAGE_NAMES.sdk]: async () => toNpm(await sdkFiles()),
  [PACKAGE_NAMES.cli]: async () => toNpm(await cliFiles()),
  [PACKAGE_NAMES.python]: async () => writeZip(await wheelFiles()),
}

/** Builds a package, such as tollgate-sdk.tgz. Undefined: no package has this name. */
export function buildPackage(name: string): Promise<Buffer> | undefined {
  return Object.hasOwn(BUILDS, name) ? BUILDS[name]?.() : undefined
}

function toNpm(files: readonly PackageFile[]): Promise<Buffer> {
  return compress(writeTar('package', files))
}
