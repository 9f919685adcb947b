import { publicId, type Id } from '../lib/ids.ts'

export const TIERS = ['personal', 'business'] as const
export type Tier = (typeof TIERS)[number]

/** An account as callers see it. */
export type Account = {
  readonly id: string
  readonly email: string
  readonly tier: Tier
  readonly owner: boolean
  readonly created_at: string
}

export type AccountRow = {
  readonly id: Id
  readonly email: string
  readonly tier: Tier
  readonly is_owner: boolean
  readonly created_at: Date
}

export const ACCOUNT_COLUMNS = 'id, email, tier, is_owner, created_at'

export function accountOf(row: AccountRow): Account {
  return {
    id: publicId('account', row.id),
    email: row.email,
    tier: row.tier,
    owner: row.is_owner,
    created_at: row.created_at.toISOString(),
  }
}
