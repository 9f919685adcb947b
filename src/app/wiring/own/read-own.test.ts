import assert from 'node:assert/strict'
import { test } from 'node:test'
import { acmeFile, withFolder } from '../../../catalog/own/testing/acme.ts'
import { readOwn } from './read-own.ts'

test('no own service has the name of the router, of the paid fetch or of a built-in service', async () => {
  for (const service of ['llm', 'web', 'semantic', 'core', 'unknown'])
    await withFolder({ 'own.json': acmeFile({ service }) }, async (actionsDir) => {
      const { faults } = await readOwn({ actionsDir, pricesFile: null })
      assert.equal(faults[0]?.pointer, '/service', service)
    })
})
