import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadConfig } from '../../../app/settings/config.ts'
import { checkParts } from './in-house.ts'

const repositoriesWith = async (environment: Record<string, string>) => {
  const { checks, working } = await checkParts(loadConfig(environment))
  const { state, found, fix } =
    checks.find(({ name }) => name === 'repositories') ?? assert.fail('git is checked')
  return { state, found, fix, isWorking: working.has('git') }
}

test('reports a part that is off or lacks its program, and does not count it as working', async () => {
  assert.deepEqual(await repositoriesWith({ IN_HOUSE: 'none' }), {
    state: 'missing',
    found: 'off',
    fix: 'Add "git" to IN_HOUSE, so that gitstore stores repositories on this machine.',
    isWorking: false,
  })
  assert.deepEqual(await repositoriesWith({ PATH: '/nowhere' }), {
    state: 'missing',
    found: 'git is not installed',
    fix: 'Install git, for example: apt-get install git',
    isWorking: false,
  })
})
