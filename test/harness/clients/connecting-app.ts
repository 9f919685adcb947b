/** An app that connects to the gateway with OAuth: what a hosted client or a desktop app adds to an MCP client. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { cleanUp } from '../clean-up.ts'

type Registered = { readonly client_id: string }
type Tokens = { access_token: string; token_type: string; refresh_token?: string | undefined }

/** The OAuth provider of the official MCP clients, of both major versions. */
export type ConnectingApp = {
  readonly provider: {
    readonly redirectUrl: string
    readonly clientMetadata: { redirect_uris: string[]; client_name: string }
    readonly clientMetadataUrl?: string
    state(): string
    clientInformation(): Registered | undefined
    saveClientInformation(client: Registered): void
    tokens(): Tokens | undefined
    saveTokens(tokens: Tokens): void
    redirectToAuthorization(url: URL): void
    saveCodeVerifier(verifier: string): void
    codeVerifier(): string
  }
  /** The page that the app opens in the browser. */
  authorizationUrl(): string
  /** The query with which the browser returns. */
  readonly returned: Promise<URLSearchParams>
}

/** `metadataUrlFor`: the client id document that lists the redirect URI; without it, the app registers itself. */
export async function startConnectingApp(
  name: string,
  metadataUrlFor?: (redirectUrl: string) => string,
): Promise<ConnectingApp> {
  const returned = Promise.withResolvers<URLSearchParams>()
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://127.0.0.1')
    response.writeHead(200, { 'content-type': 'text/html' }).end(`<h1>Connected to ${name}</h1>`)
    if (pathname === '/callback') returned.resolve(searchParams)
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  cleanUp(() => {
    server.closeAllConnections()
    server.close()
  })
  const redirectUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`
  let [client, tokens, verifier, page]: [
    Registered | undefined,
    Tokens | undefined,
    string,
    string,
  ] = [undefined, undefined, '', '']
  const metadataUrl = metadataUrlFor?.(redirectUrl)
  return {
    returned: returned.promise,
    authorizationUrl: () => page,
    provider: {
      redirectUrl,
      clientMetadata: { redirect_uris: [redirectUrl], client_name: name },
      ...(metadataUrl === undefined ? {} : { clientMetadataUrl: metadataUrl }),
      state: () => 'state-of-the-app',
      clientInformation: () => client,
      saveClientInformation(saved) {
        client = saved
      },
      tokens: () => tokens,
      saveTokens(saved) {
        tokens = saved
      },
      redirectToAuthorization(url) {
        page = url.href
      },
      saveCodeVerifier(saved) {
        verifier = saved
      },
      codeVerifier: () => verifier,
    },
  }
}
