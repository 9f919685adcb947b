-- The response to a key that repeats itself (src/calls/loops). A stricter setting of a key above wins.
alter table keys
  add column breaker text not null default 'warn' check (breaker in ('off', 'warn', 'stop'));
