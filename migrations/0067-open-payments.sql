-- What an account may have in payments of open outcome is limited, because a caller could be the merchant too.

create index payments_open on payments (account_id) where status in ('intended', 'signed', 'unknown');
