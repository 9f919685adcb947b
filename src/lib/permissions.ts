import { AppError } from '../errors/app-error.ts'
import type { Id } from './ids.ts'
import type { Scope } from './owner.ts'

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
  'repositories.change': { does: 'renew clone URLs', roles: ['owner', 'developer'] },
  'inboxes.change': { does: 'delete inboxes and their messages', roles: ['owner', 'developer'] },
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

/** The person of a session; absent for keys, which have scopes instead. */
export type ByMember = {
  readonly member?: { readonly personId: Id; readonly role: Role } | undefined
}

/**
 * Throws AppError role_not_allowed for a member who may change only their own keys, and this is not one of
 * them. The primary keys belong to no member.
 */
export function requireOwnKey({ member }: ByMember, row: { readonly person_id: Id | null }): void {
  if (member === undefined || roleMay(member.role, 'keys.manage')) return
  if (row.person_id !== member.personId)
    throw roleError('Your role can change only your own keys, and this is not one of them.')
}

/** Throws AppError role_not_allowed for such a member and a key that sees the keys and calls of others. */
export function requireOwnScope({ member }: ByMember, scope: Scope | undefined): void {
  if (member === undefined || roleMay(member.role, 'keys.manage')) return
  if (scope === 'account')
    throw roleError('Your role can create only keys that see their own calls.', 'scope')
}

function roleError(message: string, param?: string): AppError {
  return new AppError('role_not_allowed', message, {
    fix: 'Ask an owner of the account to change the key, or your role.',
    ...(param === undefined ? {} : { param }),
  })
}
