import type { Catalog } from '../catalog/index.ts'
import { amountText, endpointAmount, priceText } from '../catalog/published/price-block.ts'
import type { Database, Transaction } from '../db/database.ts'

/**
 * Records which prices differ from those of the last start, in the audit log. The first start of a
 * database records none. Returns the number of changes.
 */
export function recordPrices(
  database: Pick<Database, 'transaction'>,
  catalog: Pick<Catalog, 'allActions'>,
): Promise<number> {
  const present = pricesOf(catalog)
  return database.transaction(async (tx) => {
    // Of several processes that start together, the first records the changes.
    await tx.query('lock table known_prices in share row exclusive mode')
    const { rows } = await tx.query<{ action: string; price: string }>(
      "select action, price #>> '{}' as price from known_prices",
    )
    const former = new Map(rows.map(({ action, price }) => [action, price]))
    const changed = [...new Set([...former.keys(), ...present.keys()])].filter(
      (action) => former.get(action) !== present.get(action),
    )
    if (changed.length === 0) return 0
    await store(tx, changed, present)
    if (former.size === 0) return 0
    await tx.query(
      `insert into changes (author, subject, subject_id, what, fields)
         select 'gateway', 'price', action,
           case when before is null then 'created' when after is null then 'deleted' else 'changed' end,
           jsonb_build_object('price', jsonb_build_array(before, after))
         from unnest($1::text[], $2::text[], $3::text[]) as changed (action, before, after)`,
      [
        changed,
        changed.map((action) => former.get(action) ?? null),
        changed.map((action) => present.get(action) ?? null),
      ],
    )
    return changed.length
  })
}

async function store(
  tx: Transaction,
  changed: readonly string[],
  present: ReadonlyMap<string, string>,
): Promise<void> {
  await tx.query('delete from known_prices where action = any($1::text[])', [changed])
  const kept = changed.filter((action) => present.has(action))
  await tx.query(
    'insert into known_prices (action, price) select action, to_jsonb(price) from unnest($1::text[], $2::text[]) as known (action, price)',
    [kept, kept.map((action) => present.get(action) ?? null)],
  )
}

/** Prices in words by `service/action` and, for actions with endpoints, `service/action endpoint`. */
function pricesOf({ allActions }: Pick<Catalog, 'allActions'>): ReadonlyMap<string, string> {
  return new Map(
    allActions().flatMap(({ service, name, action }) => [
      [`${service.id}/${name}`, priceText(action)] as const,
      ...(action.kind === 'endpoint' ? action.endpoints : []).map(
        (entry) =>
          [
            `${service.id}/${name} ${entry.endpoint}`,
            amountText(endpointAmount(action, entry)),
          ] as const,
      ),
    ]),
  )
}
