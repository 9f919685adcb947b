alter table job_steps add column repeats integer not null default 0;
