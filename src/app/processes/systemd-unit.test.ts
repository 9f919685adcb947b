import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'

const operating = readFileSync(join(import.meta.dirname, '../../../docs/operating.md'), 'utf8')
const unit = /```ini\n([^`]*)```/.exec(operating)?.[1] ?? ''

test('the documented systemd unit retries a failed start forever', () => {
  const [, beforeService = '', service = ''] =
    /\[Unit\]\n([^[]*)\[Service\]\n([^[]*)/.exec(unit) ?? []
  assert.match(beforeService, /^StartLimitIntervalSec=0$/m)
  assert.match(service, /^Restart=always\nRestartSec=2$/m)
})

test('systemd accepts the documented unit', (context) => {
  if (spawnSync('systemd-analyze', ['--version']).status !== 0)
    return context.diagnostic('there is no systemd-analyze here')
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-unit-'))
  try {
    const path = join(folder, 'tollgate.service')
    // systemd checks only that the program exists; user and environment are the operator's.
    writeFileSync(
      path,
      unit
        .replace(/^ExecStart=.*$/m, 'ExecStart=/bin/true')
        .replace(/^(WorkingDirectory|User|EnvironmentFile)=.*\n/gm, ''),
    )
    const { stderr } = spawnSync('systemd-analyze', ['verify', path], { encoding: 'utf8' })
    assert.doesNotMatch(stderr, /tollgate\.service/)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
