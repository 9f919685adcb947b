-- Whether a charge took the spending of a budget's window across a percentage of its limit. The
-- figures are those after the charge. PostgreSQL inlines the function. Most charges end at the first
-- comparison, because their budget has no limit.
create function crosses_threshold(
  period text, day_spent bigint, week_spent bigint, month_spent bigint, total_spent bigint,
  ceiling bigint, percents bigint[], charge bigint
) returns boolean language sql immutable as $$
  select ceiling is not null and charge > 0 and ceiling > 0 and width_bucket(
    case period when 'day' then day_spent when 'week' then week_spent
      when 'month' then month_spent else total_spent end
      * 100 / nullif(ceiling, 0),
    coalesce(percents, '{50,80,100}')
  ) > width_bucket(
    (case period when 'day' then day_spent when 'week' then week_spent
      when 'month' then month_spent else total_spent end
      - charge) * 100 / nullif(ceiling, 0),
    coalesce(percents, '{50,80,100}')
  )
$$;
