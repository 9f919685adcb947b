/** The isolation that tests of boxes use. */
import { mkdtempSync, rmSync, chmodSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openOwnControlGroups, type ControlGroups } from '../../../lib/machine/control-groups.ts'
import { tryIsolations, type TriedIsolation } from '../isolation/choose-isolation.ts'

export type TestIsolation = {
  readonly groups: ControlGroups
  readonly tried: readonly TriedIsolation[]
  /** False, or why boxes cannot be tested on this machine. */
  readonly skip: false | string
}

export async function findTestIsolation(isFirstOnly = true): Promise<TestIsolation> {
  const groups = await openOwnControlGroups()
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-probe-'))
  chmodSync(folder, 0o711)
  const tried = await tryIsolations({ groups, network: null }, folder, isFirstOnly)
  rmSync(folder, { recursive: true, force: true })
  const works = tried.some(({ problem }) => problem === null)
  const problems = tried.map(({ name, problem }) => `${name}: ${problem ?? 'works'}`)
  return {
    groups,
    tried,
    skip: works ? false : `needs root or user namespaces (${problems.join('; ')})`,
  }
}
