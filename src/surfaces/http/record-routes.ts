import type { FastifyInstance } from 'fastify'

export type KnownRoutes = { methodsOf(url: string): string[] }

/** Records every route, for 405 responses to a wrong method. Call it before routes are added. */
export function recordRoutes(app: FastifyInstance): KnownRoutes {
  const routes: { readonly pattern: RegExp; readonly method: string }[] = []
  app.addHook('onRoute', ({ url, method }) => {
    if (url === '*' || url === '/*' || method === 'OPTIONS') return
    const pattern = new RegExp(
      `^${url.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(/:[A-Za-z]+/g, '[^/]+')}/?$`,
    )
    for (const one of [method].flat()) routes.push({ pattern, method: one })
  })
  return {
    methodsOf(url) {
      const path = url.split('?', 1)[0] ?? ''
      return [
        ...new Set(routes.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method)),
      ].sort()
    },
  }
}
