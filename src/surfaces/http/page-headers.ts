import type { FastifyHelmetOptions } from '@fastify/helmet'

const CONTENT_SECURITY_POLICY = {
  'default-src': ["'self'"],
  'script-src': ["'self'"],
  'style-src': ["'self'"],
  'img-src': ["'self'", 'data:'],
  'form-action': ["'self'"],
  'frame-ancestors': ["'none'"],
  'base-uri': ["'none'"],
  'object-src': ["'none'"],
}

/** The security headers of every page. */
export function pageHeaders(publicUrl: string): FastifyHelmetOptions {
  return {
    contentSecurityPolicy: { useDefaults: false, directives: CONTENT_SECURITY_POLICY },
    hsts: publicUrl.startsWith('https:'),
  }
}
