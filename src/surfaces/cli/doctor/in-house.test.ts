import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startForwardProxy } from '../../../../test/harness/vendors/forward-proxy.ts'
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

test('reports the proxies of the page readers, and a broken one without its address', async () => {
  const { authority } = await startForwardProxy()
  const readersWith = async (EGRESS_PROXIES: string) => {
    const { checks } = await checkParts(loadConfig({ EGRESS_PROXIES }))
    return checks.find(({ name }) => name === 'page readers')
  }
  const entry = `de-residential=http://op:secret@${authority}`
  assert.deepEqual(await readersWith(entry), {
    name: 'page readers',
    state: 'ok',
    found: 'proxies de-residential, used by "npm start"',
    fix: null,
  })
  assert.deepEqual(await readersWith(`${entry},us=http://op:secret@127.0.0.1:9`), {
    name: 'page readers',
    state: 'missing',
    found: 'proxy us cannot be reached (ECONNREFUSED)',
    fix: 'Correct or remove the proxy in EGRESS_PROXIES.',
  })
})

test('names the missing programs of media models, each with its package', async () => {
  const { checks, working } = await checkParts(loadConfig({ PATH: '/nowhere' }))
  const check = checks.find(({ name }) => name === 'media models')
  assert.deepEqual(
    [check?.state, check?.found, check?.fix, working.has('media')],
    [
      'missing',
      'ffmpeg and espeak-ng are not installed in /usr',
      'Install one or both, for example: apt-get install ffmpeg espeak-ng',
      false,
    ],
  )
})
