import { isTest, type Rule } from './source.ts'

/** The lists of all vendors: of their records and of their simulators. */
const REGISTRIES = [
  'src/vendors/index.ts',
  'src/vendors/simulators.ts',
  'src/simulators/vendor-list.ts',
]

/** Only a registry imports from the folder of a vendor; a vendor imports no other vendor. */
export const vendorRegistry: Rule = {
  name: 'vendor registry',
  find: (files) =>
    files
      .filter(({ name }) => !isTest(name) && !REGISTRIES.includes(name))
      .flatMap(({ name, imports }) =>
        imports
          .filter(({ target }) => labelOf(target) !== null && labelOf(target) !== labelOf(name))
          .map(({ target, line }) => `${name}:${line}: imports ${target}`),
      ),
}

function labelOf(name: string): string | null {
  return /^src\/vendors\/([^/]+)\//.exec(name)?.[1] ?? null
}
