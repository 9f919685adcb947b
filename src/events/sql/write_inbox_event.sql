-- inbox.message in the commit that stores a received message.
create function write_inbox_event() returns trigger language plpgsql as $$
begin
  perform write_event(
    floor(extract(epoch from new.created_at) * 1000)::bigint, new.account_id, 'live', new.key_id,
    'inbox.message',
    jsonb_build_object(
      'inbox_id', new.inbox, 'message_id', new.message_id,
      'thread_id', replace(new.thread_id::text, '-', ''),
      'from', left(new.sender, 320), 'subject', left(new.subject, 500),
      'attachment_count', jsonb_array_length(new.attachments)
    )
  );
  return null;
end $$;

create constraint trigger write_inbox_event after insert on inbox_messages
  deferrable initially deferred for each row
  when (new.status = 'received')
  execute function write_inbox_event();
