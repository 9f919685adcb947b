import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Config } from '../../../app/settings/config.ts'
import { findProgram } from '../../../lib/find-program.ts'
import { missing, ok, type Check } from './check.ts'
import { messageOf } from './machine.ts'

const TIMEOUT_MS = 10_000

/** Whether the repositories of `gitstore` are enabled and git starts. */
export async function checkRepositories({
  inHouse,
  searchPath,
}: Pick<Config, 'inHouse' | 'searchPath'>): Promise<Check> {
  const name = 'repositories'
  if (inHouse.parts !== null && !inHouse.parts.includes('git'))
    return missing(name, 'off', 'Add "git" to IN_HOUSE to sell repositories of this machine.')
  const program = findProgram('git', searchPath)
  if (program === null)
    return missing(name, 'git is not installed', 'Install git, for example: apt-get install git')
  try {
    const { stdout } = await promisify(execFile)(program, ['--version'], {
      timeout: TIMEOUT_MS,
      env: {},
    })
    const when = inHouse.parts === null ? ', used by "npm start"' : ''
    return ok(name, `${stdout.trim()}${when}`)
  } catch (error) {
    return missing(name, messageOf(error).split('\n')[0] ?? '', 'Reinstall git.')
  }
}
