-- Whether an in-house session is recorded, and the public id of its video.
alter table browser_sessions
  add column recording text check (recording in ('recording', 'stored', 'failed')),
  add column recording_file text;
