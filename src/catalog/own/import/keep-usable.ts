import { createValidator } from '../../validate/validate.ts'
import type { OwnAction, OwnFile } from '../own-file.ts'
import { checkFile } from '../read-folder.ts'
import { Refusal } from './refusal.ts'

export type Imported = {
  readonly file: OwnFile
  /** Names of operations with the reason why they are no actions. */
  readonly refused: ReadonlyMap<string, string>
  /** For the operator to check, such as parameters that are left out, each with its operation. */
  readonly notes: readonly string[]
}

/** `name`: of its operation or tool. */
export type Built = { readonly name: string; readonly action: OwnAction }

/** Moves the actions that the checks of files reject to `refused`. Throws Refusal if none is left. */
export async function keepUsable(
  head: Omit<OwnFile, 'actions'>,
  built: readonly Built[],
  refused: Map<string, string>,
  taken: ReadonlySet<string>,
): Promise<OwnFile> {
  const validator = createValidator()
  let left = [...built]
  while (left.length > 0) {
    const file: OwnFile = { ...head, actions: left.map(({ action }) => action) }
    const { found } = await checkFile(file, taken, validator)
    if (found.length === 0) return file
    const faulty = new Map(
      found.flatMap(({ pointer, problem }) => {
        const [, index, rest = ''] = /^\/actions\/(\d+)(\/.*)?$/.exec(pointer) ?? []
        return index === undefined ? [] : [[Number(index), `"${rest}" ${problem}`] as const]
      }),
    )
    const whole = found.find(({ pointer }) => !/^\/actions\/\d+/.test(pointer))
    if (whole !== undefined) throw new Refusal(`"${whole.pointer}" ${whole.problem}`)
    for (const [index, problem] of faulty) {
      const name = left[index]?.name
      if (name !== undefined) refused.set(name, problem)
    }
    left = left.filter((_, index) => !faulty.has(index))
  }
  throw nothingLeft(refused)
}

export function nothingLeft(refused: ReadonlyMap<string, string>): Refusal {
  const reasons = [...refused].slice(0, 10).map(([name, reason]) => `\n${name}: ${reason}`)
  return new Refusal(`No operation can be imported.${reasons.join('')}`)
}
