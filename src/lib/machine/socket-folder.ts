/** Short paths of Unix sockets: the system accepts 107 bytes, and folders have longer paths. */
import { closeSync, constants, openSync } from 'node:fs'

export type SocketFolder = {
  /** The path of a file of the folder, through its open descriptor. Valid until `close`. */
  pathOf(name: string): string
  close(): void
}

/** Needs /proc. Throws the error of the system if the folder does not exist. */
export function openSocketFolder(folder: string): SocketFolder {
  const descriptor = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY)
  return {
    pathOf: (name) => `/proc/self/fd/${descriptor}/${name}`,
    close: () => closeSync(descriptor),
  }
}
