/** Builds the package into dist, with the modules of the SDK and of the catalog that it uses. `npx node packages/cli/build.ts`. */
import { cliFiles } from '../../src/surfaces/http/packages/npm-packages.ts'
import { writeDist } from '../write-dist.ts'

writeDist(import.meta.dirname, await cliFiles())
