/** Parses one message after another in a thread of its own. See `message-parser.ts`. */
import { parentPort } from 'node:worker_threads'
import { parseMessage } from './parse-message.ts'

parentPort?.on('message', (raw: Uint8Array) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  void parseMessage(raw).then((answer) => parentPort?.postMessage(answer))
})
