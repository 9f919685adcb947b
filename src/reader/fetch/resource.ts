export type Resource = {
  kind: 'resource'
  url: string
  finalUrl: string
  status: number
  /** Lower case, without parameters; empty if the server sent none. */
  contentType: string
  headers: Record<string, string | string[] | undefined>
  body: Buffer
}
export type Page = Omit<Resource, 'kind' | 'body'> & { kind: 'page'; html: string; bytes: number }

/** `timeoutMs` covers the whole request with its redirects. */
export type GetOptions = { signal: AbortSignal; timeoutMs: number; maxBytes?: number | undefined }
