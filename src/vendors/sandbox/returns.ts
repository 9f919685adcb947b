/** From the merchant for Modal's sandboxes. */
import {
  answer,
  count,
  maybe,
  oneOf,
  text,
  type Returns,
} from '../../catalog/vocabulary/returns.ts'

const sandboxId = text('The id of the sandbox.')
const exitCode = maybe(count('The exit code of its command. Absent while it runs.'))

const isolation = maybe(
  text(
    'How the sandbox is isolated, if the gateway runs it itself: gvisor, namespaces, bubblewrap or podman.',
  ),
)

export const returns: Returns = {
  'sandbox-create': answer({
    sandbox_id: text('The id of the sandbox, for the other actions.'),
    isolation,
  }),
  'sandbox-exec': answer({
    stdout: text('The output of the command.'),
    stderr: text('The error output of the command.'),
    returncode: count('The exit code: 0 if the command succeeded, -1 if it took too long.'),
  }),
  'sandbox-status': answer({
    sandbox_id: sandboxId,
    status: oneOf('The state of the sandbox. One that reached its timeout is finished.', [
      'running',
      'finished',
      'failed',
    ]),
    returncode: exitCode,
    isolation,
  }),
  'sandbox-terminate': answer({
    sandbox_id: sandboxId,
    status: maybe(oneOf('The state of the sandbox.', ['terminated'])),
    returncode: exitCode,
  }),
}
