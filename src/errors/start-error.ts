/** Something keeps a command from starting. Its message tells the operator what and what to do; it is shown without a stack. */
export class StartError extends Error {
  override readonly name = 'StartError'
}
