import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SandboxSupport } from '../../reader/render/browser-sandbox.ts'
import { logSandbox } from './log-sandbox.ts'

test('logs the state of the sandbox and the fix for a missing one', async () => {
  const logged = async (
    support: SandboxSupport,
    allowUnsandboxedBrowser: boolean,
  ): Promise<string[]> => {
    const lines: string[] = []
    const logger = {
      info: (line: string) => void lines.push(`info ${line}`),
      warn: (line: string) => void lines.push(`warn ${line}`),
    } as unknown as Parameters<typeof logSandbox>[0]
    await logSandbox(logger, { allowUnsandboxedBrowser, searchPath: '' }, async () => support)
    return lines
  }
  assert.match((await logged('usable', false)).join(), /^info the browser runs with its sandbox/)
  assert.match(
    (await logged('refused', false)).join(),
    /^warn pages are not rendered in-house: .* ALLOW_UNSANDBOXED_BROWSER=true/,
  )
  assert.match((await logged('refused', true)).join(), /^warn the browser runs WITHOUT its sandbox/)
  assert.deepEqual(await logged('unknown', false), [])
})
