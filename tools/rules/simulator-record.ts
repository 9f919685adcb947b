import { basename } from 'node:path'
import { isBelow, isTest, type Rule } from './source.ts'

/**
 * A simulator imports no record, not even through other files of the vendors: it repeats what the
 * vendor documents, so a mistake of the record shows in a test.
 */
export const simulatorRecord: Rule = {
  name: 'simulator imports record',
  find: (files) => {
    const imports = new Map(files.map((file) => [file.name, file.imports]))
    const simulators = files.filter(
      ({ name }) =>
        basename(name) === 'simulator.ts' && isBelow(name, 'src/vendors') && !isTest(name),
    )
    return simulators.flatMap(({ name }) => {
      const reached = new Set([name])
      for (const file of reached) {
        for (const { target } of imports.get(file) ?? []) {
          if (isBelow(target, 'src/vendors')) reached.add(target)
        }
      }
      const records = [...reached].filter((file) => basename(file) === 'record.ts')
      return records.map((record) => `${name}: reaches ${record}`)
    })
  },
}
