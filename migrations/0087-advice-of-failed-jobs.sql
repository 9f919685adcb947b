-- What a failed job tells beside its code and message: {"fix"?, "param"?, "details"?}. Null where there is no more to tell,
-- and for jobs that failed before this was kept.

alter table jobs add column error_facts json;
