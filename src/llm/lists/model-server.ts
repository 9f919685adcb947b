import { Deadline } from '../../lib/deadline.ts'
import { fieldsOf } from '../../lib/json-fields.ts'
import { exchange } from '../../upstream/exchange.ts'
import { headersFor, type ModelUpstream } from '../ask/upstream.ts'

const TIMEOUT_MS = 5_000
const MAX_BYTES = 1024 * 1024

/** The program behind an upstream of the operator, such as "Ollama 0.9.6"; null if it is not recognized. */
export async function detectModelServer(upstream: ModelUpstream): Promise<string | null> {
  // Ollama and llama.cpp have their own APIs outside the base path of the OpenAI format.
  const root = upstream.basePath.replace(/\/v1$/, '')
  const [version, props, list] = await Promise.all(
    [`${root}/api/version`, `${root}/props`, `${upstream.basePath}/models`].map((path) =>
      readFields(upstream, path),
    ),
  )
  const { data } = list ?? {}
  const owners = Array.isArray(data) ? data.map((model) => fieldsOf(model)['owned_by']) : []
  if (owners.includes('vllm')) return 'vLLM'
  if (owners.includes('llamacpp') || props?.['default_generation_settings'] !== undefined)
    return 'llama.cpp'
  return typeof version?.['version'] === 'string' ? `Ollama ${version['version']}` : null
}

async function readFields(
  upstream: ModelUpstream,
  path: string,
): Promise<Readonly<Record<string, unknown>> | null> {
  const deadline = new Deadline(TIMEOUT_MS)
  try {
    const { status, text } = await exchange(
      upstream.dispatcher,
      {
        origin: upstream.origin,
        path,
        method: 'GET',
        headers: { accept: 'application/json', ...headersFor(upstream, 'list') },
        body: null,
      },
      { deadline, maxBytes: MAX_BYTES },
    )
    return status === 200 ? fieldsOf(JSON.parse(text)) : null
  } catch {
    // Other servers have other APIs.
    return null
  } finally {
    deadline.end()
  }
}
