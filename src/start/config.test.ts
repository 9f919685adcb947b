import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { StartError } from '../errors/start-error.ts'
import { loadConfig, withPort } from './config.ts'

describe('the configuration', () => {
  it('needs nothing to be set', () => {
    const config = loadConfig({})
    assert.deepEqual([config.host, config.port, config.publicUrl, config.databaseUrl, config.logLevel], ['127.0.0.1', 4020, 'http://127.0.0.1:4020', null, 'info'])
    assert.match(config.dataDir, /\/\.tollgate$/)
    assert.equal(config.upstreams.size, 0)
  })

  it('takes an empty variable as unset', () => {
    assert.equal(loadConfig({ PORT: '', DATABASE_URL: ' ' }).port, 4020)
  })

  it('reads keys, further credentials and addresses of vendors by the label of the service', () => {
    const { upstreams } = loadConfig({ UPSTREAM_SEMANTIC_KEY: 'k', UPSTREAM_UNBLOCK_ZONE: 'z', UPSTREAM_UNBLOCK_KEY: 'u', UPSTREAM_LLMNATIVE_A_KEY: 'a', UPSTREAM_RENDER2_URL: 'http://10.0.0.5:3000/' })
    assert.deepEqual(upstreams.get('semantic'), { url: null, credentials: { KEY: 'k' } })
    assert.deepEqual(upstreams.get('unblock')?.credentials, { ZONE: 'z', KEY: 'u' })
    assert.deepEqual(upstreams.get('llmnative-a')?.credentials, { KEY: 'a' })
    assert.equal(upstreams.get('render2')?.url, 'http://10.0.0.5:3000/')
  })

  const nonsense: readonly (readonly [string, string])[] = [
    ['PORT', 'many'], ['PORT', '70000'], ['PORT', '-1'], ['PORT', '4020.5'], ['LOG_LEVEL', 'loud'], ['PUBLIC_URL', 'gate.example'], ['PUBLIC_URL', 'ftp://gate.example'],
    ['DATABASE_URL', 'mysql://x'], ['ALLOW_PRIVATE_NETWORKS', '127.0.0.1'], ['ALLOW_PRIVATE_NETWORKS', '127.0.0.0/8,nonsense'], ['BROWSER_CONCURRENCY', '0'], ['RESPECT_ROBOTS', 'yes'], ['UPSTREAM_SEMANTIC_URL', 'localhost:3000'],
  ]
  for (const [name, value] of nonsense) {
    it(`refuses ${name}=${value} with a line that names it`, () => {
      assert.throws(() => loadConfig({ [name]: value }), (error) => error instanceof StartError && error.message.startsWith(name) && !error.message.includes('\n'))
    })
  }

  it('never repeats a database address, which may hold a password', () => {
    assert.throws(() => loadConfig({ DATABASE_URL: 'mysql://u:hunter2@h/d' }), (error: StartError) => !error.message.includes('hunter2'))
  })

  it('shows the port that the system chose in its address', () => {
    assert.equal(withPort(loadConfig({ PORT: '0' }), 40_123).publicUrl, 'http://127.0.0.1:40123')
    assert.equal(withPort(loadConfig({ PORT: '0', PUBLIC_URL: 'https://gate.example' }), 40_123).publicUrl, 'https://gate.example')
  })
})
