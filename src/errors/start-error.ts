/** A command cannot start. The message names the cause and the fix; it is printed without a stack. */
export class StartError extends Error {
  override readonly name = 'StartError'
}
