/** Builds the package into dist: JavaScript modules and their types. `npx node packages/sdk/build.ts`. */
import { sdkFiles } from '../../src/surfaces/http/packages/npm-packages.ts'
import { writeDist } from '../write-dist.ts'

writeDist(import.meta.dirname, await sdkFiles())
