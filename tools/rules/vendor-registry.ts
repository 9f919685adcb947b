import { isTest, type Rule } from './source.ts'

/** The lists of all vendors: of their records and of their simulators. */
const REGISTRIES = [
  'src/vendors/index.ts',
  'src/vendors/simulators.ts',
  'src/simulators/vendor-list.ts',
]

/** Modules of a vendor that other vendors may import: the requests to a public source and how to read them. */
const isSource = (target: string): boolean => target.endsWith('/source.ts')

/** Only a registry imports from the folder of a vendor. A vendor imports no other vendor except its public source. */
export const vendorRegistry: Rule = {
  name: 'vendor registry',
  find: (files) =>
    files
      .filter(({ name }) => !isTest(name) && !REGISTRIES.includes(name))
      .flatMap(({ name, imports }) =>
        imports
          .filter(({ target }) => labelOf(target) !== null && labelOf(target) !== labelOf(name))
          .filter(({ target }) => !(labelOf(name) !== null && isSource(target)))
          .map(({ target, line }) => `${name}:${line}: imports ${target}`),
      ),
}

function labelOf(name: string): string | null {
  const label = /^src\/vendors\/([^/]+)\//.exec(name)?.[1] ?? null
  return label === 'shared' ? null : label
}
