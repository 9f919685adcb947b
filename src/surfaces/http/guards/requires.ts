import type { FastifyRequest } from 'fastify'
import type { Visitor } from '../../../auth/records/browser-session.ts'
import { AppError } from '../../../errors/app-error.ts'
import { describeAllowed, PERMISSIONS, roleMay, type Permission } from '../../../lib/permissions.ts'

/** 'public': no sign-in. 'member': a signed-in person of any role. */
export type RoutePermission = Permission | 'public' | 'member'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Undefined: only owners pass, and test/surface/permissions.db.test.ts fails. */
    permission?: RoutePermission
  }
}

/** The options of a route that requires a permission of the signed-in person. */
export function requires(permission: RoutePermission): {
  readonly config: { readonly permission: RoutePermission }
} {
  return { config: { permission } }
}

// A route that names no permission.
const UNNAMED: Permission = 'account.close'

/**
 * Rejects a person whose role lacks the permission of the route. `nameOwners` returns the email addresses of
 * owners. Throws AppError role_not_allowed. The scope of a key is checked where it is used.
 */
export async function requireRole(
  { routeOptions }: Pick<FastifyRequest, 'routeOptions'>,
  { role }: Pick<Visitor, 'role'>,
  nameOwners: () => Promise<readonly string[]>,
): Promise<void> {
  const permission = routeOptions.config.permission ?? UNNAMED
  if (role === null || permission === 'public' || permission === 'member') return
  if (!roleMay(role, permission)) throw roleError(role, permission, await nameOwners())
}

function roleError(
  role: NonNullable<Visitor['role']>,
  permission: Permission,
  owners: readonly string[],
): AppError {
  const { does, roles } = PERMISSIONS[permission]
  return new AppError(
    'role_not_allowed',
    `Your role "${role}" cannot ${does}. ${describeAllowed(permission)} can.`,
    {
      fix: `Ask an owner of the account to change your role${owners.length === 0 ? '' : `: ${owners.join(', ')}`}.`,
      details: { role, required_roles: roles },
    },
  )
}

/**
 * Whether the visitor may do this, for pages that omit other controls. A session of a key may see what its key
 * sees, and change things if it is a primary key.
 */
export function may({ role, caller }: Visitor, permission: Permission): boolean {
  return role === null ? caller.primary || permission.endsWith('.view') : roleMay(role, permission)
}
