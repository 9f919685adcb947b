-- How often a step that was cut off was made again at the house's expense. It bounds what a job that kills its workers costs.
alter table job_steps add column repeats integer not null default 0;
