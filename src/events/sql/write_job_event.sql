-- job.succeeded, job.failed or job.cancelled in the commit that ends a job. A cancelled job that
-- delivers its results so far has succeeded.
create function write_job_event() returns trigger language plpgsql as $$
begin
  perform write_event(
    new.finished_ms, new.account_id, new.mode, new.budget_id,
    case
      when new.status = 'succeeded' then 'job.succeeded'
      when new.error_code = 'job_cancelled' then 'job.cancelled'
      else 'job.failed'
    end,
    jsonb_build_object(
      'job_id', public_id('job', new.id), 'action', new.service || '/' || new.action,
      'key_id', public_id('agk', new.budget_id), 'charged_micros', new.charged_micros,
      'error_code', new.error_code
    ),
    job_url => new.webhook_url
  );
  return null;
end $$;

create constraint trigger write_job_event after update of finished_ms on jobs
  deferrable initially deferred for each row
  when (new.finished_ms is not null and old.finished_ms is null)
  execute function write_job_event();
