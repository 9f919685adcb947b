/** Reads one document in a process of its own, which ends afterwards. See `sandbox.ts`. */
import { denyNetwork } from '../../upstream/deny-network.ts'
import { DocumentFault, type ParseAnswer, type ParseRequest } from './document.ts'

denyNetwork()

// A terminal or service manager sends these signals to every process of the gateway. The gateway
// ends this process, and this process exits when the gateway does.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)

process.once('message', (request) => {
  void read(request as ParseRequest).then((answer) => process.send?.(answer, () => process.exit(0)))
})

async function read(request: ParseRequest): Promise<ParseAnswer> {
  try {
    const { parseDocument } = await import('./parse-document.ts')
    return { kind: 'read', document: await parseDocument(request) }
  } catch (error) {
    return error instanceof DocumentFault
      ? { kind: 'fault', code: error.code, detail: error.message }
      : { kind: 'fault', code: 'broken', detail: 'The document is damaged: it cannot be parsed.' }
  }
}
