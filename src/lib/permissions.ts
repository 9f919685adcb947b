/** The roles of an account's members. */
export const ROLES = ['owner', 'billing', 'developer', 'viewer'] as const
export type Role = (typeof ROLES)[number]

export const ROLE_NAMES: Readonly<Record<Role, string>> = {
  owner: 'Owner',
  billing: 'Billing',
  developer: 'Developer',
  viewer: 'Viewer',
}

type PermissionRule = {
  /** Completes "can …" and "cannot …". */
  readonly does: string
  readonly roles: readonly Role[]
}

const EVERY_ROLE = ROLES

/**
 * The permissions of each role on the pages and, with a browser session, at /api/v1. Routes name the permission
 * that they require (`requires` in src/surfaces/http/guards). API keys have scopes instead.
 */
export const PERMISSIONS = {
  'calls.view': { does: 'see calls, spending and credit', roles: EVERY_ROLE },
  'keys.view': { does: 'see keys, without their secrets', roles: EVERY_ROLE },
  'team.view': { does: 'see members and the audit log', roles: EVERY_ROLE },
  'calls.run': { does: 'run calls in the console', roles: ['owner', 'developer'] },
  'keys.own': {
    does: 'create keys, and change own keys and their policies',
    roles: ['owner', 'developer'],
  },
  'keys.manage': { does: 'change every key and its policy', roles: ['owner'] },
  'webhooks.change': { does: 'change webhooks', roles: ['owner', 'developer'] },
  'cassettes.change': { does: 'delete cassettes', roles: ['owner', 'developer'] },
  'credit.buy': { does: 'buy credit and open receipts', roles: ['owner', 'billing'] },
  'topup.change': { does: 'change automatic top-up and alerts', roles: ['owner', 'billing'] },
  'members.change': { does: 'invite, change and remove members', roles: ['owner'] },
  'bodies.change': { does: 'change which requests are stored', roles: ['owner'] },
  'account.close': { does: 'close the account', roles: ['owner'] },
  operate: { does: 'use the operator console', roles: ['owner'] },
} as const satisfies Readonly<Record<string, PermissionRule>>
export type Permission = keyof typeof PERMISSIONS

export function roleMay(role: Role, permission: Permission): boolean {
  return (PERMISSIONS[permission].roles as readonly Role[]).includes(role)
}

const PLURALS: Readonly<Record<Role, string>> = {
  owner: 'owners',
  billing: 'billing members',
  developer: 'developers',
  viewer: 'viewers',
}

/** The members with a permission, such as "Owners and developers". */
export function describeAllowed(permission: Permission): string {
  const names = PERMISSIONS[permission].roles.map((role) => PLURALS[role])
  const text = new Intl.ListFormat('en').format(names)
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}
