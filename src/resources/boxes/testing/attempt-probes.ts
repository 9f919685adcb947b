/** Runs probes in a box and outside of it: one that never succeeds would prove nothing. */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Box } from '../box.ts'
import type { Isolation } from '../isolation/isolation.ts'
import type { TestIsolation } from './find-isolation.ts'

/** A command that exits with 0 if it leaves the box. `control` must exit with 0 outside. */
export type Probe = { readonly name: string; readonly command: string; readonly control: string }

export const SECRET = 'TOLLGATE_ESCAPE_SECRET'
const CLEAN = 'rm -rf f* l d m p; kill -9 -1'

export function workingIsolations({ tried }: TestIsolation): readonly Isolation[] {
  return tried.filter(({ problem }) => problem === null).map(({ isolation }) => isolation)
}

/** The names of the probes that leave the box. */
export async function findEscapes(box: Box, probes: readonly Probe[]): Promise<readonly string[]> {
  const escapes: string[] = []
  for (const { name, command } of probes) {
    const { exitCode } = await box.run(['sh', '-c', command], { seconds: 10 })
    if (exitCode === 0) escapes.push(name)
    await box.run(['sh', '-c', CLEAN], { seconds: 5 })
  }
  return escapes
}

/** The names of the probes whose control fails. */
export async function findUseless(probes: readonly Probe[]): Promise<readonly string[]> {
  const useless: string[] = []
  for (const { name, control } of probes) if (!(await succeedsOutside(control))) useless.push(name)
  return useless
}

async function succeedsOutside(command: string): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-control-'))
  const env = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', [SECRET]: '1' }
  const result = await new Promise<boolean>((resolve) => {
    execFile('/bin/sh', ['-c', command], { cwd: folder, env }, (error) => resolve(error === null))
  })
  rmSync(folder, { recursive: true, force: true })
  return result
}

/** Opens a socket, and connects it to the address if there is one. Both are in Perl. */
export function openSocket(family: number, address?: string, type = 1): string {
  const connecting = address === undefined ? '' : `connect($s, ${address}) or exit 1; `
  const sending = type === 2 ? 'send($s, "x", 0) or exit 1; ' : ''
  return `perl -MSocket -e 'socket(my $s, ${family}, ${type}, 0) or exit 1; ${connecting}${sending}exit 0'`
}
