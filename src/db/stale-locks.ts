import { closeSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'

// Larger than any process id of Linux.
const NO_PROCESS = 2_147_483_647

/**
 * Marks the locks of PostgreSQL servers that ended as free. PostgreSQL itself takes a zombie for a
 * running server, and every program that received the process id after a restart of the machine.
 * Processes of the ended server that still use its memory keep the folder locked.
 */
export function releaseStaleLocks(data: string, socketFolder: string): void {
  for (const lock of [join(data, 'postmaster.pid'), join(socketFolder, '.s.PGSQL.5432.lock')])
    releaseIfStale(lock)
}

function releaseIfStale(lock: string): void {
  const file = openIfPresent(lock)
  if (file === null) return
  try {
    // Through the descriptor: a server that starts now replaces the file, and its own stays as it is.
    const text = readFileSync(file, 'utf8')
    const holder = Number.parseInt(text, 10)
    if (Number.isNaN(holder) || mayBePostgres(holder)) return
    ftruncateSync(file, 0)
    writeSync(file, text.replace(/^-?\d+/, String(NO_PROCESS)), 0)
  } finally {
    closeSync(file)
  }
}

function openIfPresent(path: string): number | null {
  try {
    return openSync(path, 'r+')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** Whether a process with this id runs PostgreSQL; true for one that the system does not show. */
export function mayBePostgres(pid: number): boolean {
  try {
    // Such as "123 (postgres) S …".
    const [, name, state] = /\((.*)\) (\w)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
    return name === 'postgres' && state !== 'Z' && state !== 'X'
  } catch {
    return isAlive(pid)
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
