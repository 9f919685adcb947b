-- Some migrations changed between two commits, before they were released. Each part turns the tables
-- of the first checksum into those of the second.

-- 2b6e4b730cc1afa87017420665ee720d413cd8ee02ba11293369ea048d7d181d 8d4c767f4721d4b54627dd9af0c14df74dd9bd0a5a91c623146e226283cad9b6

-- 94e6775e3bb3d27f2d694aecb2beb4413cc8f9322249540f2b6fab6158cda2d5 36ab2fbc81dad7c39b763a8b9879e0fd6731c34214150904ddefbbe66a74f3b9
alter table call_bodies rename column request_bytes to request_chars;
alter table call_bodies rename column response_bytes to response_chars;

-- b327948e70f74bff85ea26395b2425b51e178e84038c1efc42e489f5ce6a2ffd 523849994455dd09bd198bbe488904593162090b1c0ce31e7ec8bf626848672b
drop index card_payments_of_account;
create index card_payments_by_time on card_payments (credited_at desc);

-- 523849994455dd09bd198bbe488904593162090b1c0ce31e7ec8bf626848672b be2973c0dc06761e012ecdf1806ad31889ab76875d164e6832acfd4b6c0f3a2e
create table counting_progress (
  is_only boolean primary key default true check (is_only),
  is_behind boolean not null
);
insert into counting_progress (is_behind) select exists (select from wallets where posted > 0);
alter table vendor_keys drop column set_ms;

-- 20498b1985371d71997b991779ab82c5f2de14748698dbbe620c42e645b6ba8e 73e70d1d2dc7d6fa7226fc30be03f75cfc59a80ff600bbc45204361b116b351a
alter table topups
  drop constraint topups_status_check,
  add constraint topups_status_check check (status in ('open', 'paid', 'failed', 'abandoned')),
  alter column customer drop not null,
  alter column method drop not null,
  drop column reason,
  add check (status <> 'open' or (customer is not null and method is not null));

-- 73e70d1d2dc7d6fa7226fc30be03f75cfc59a80ff600bbc45204361b116b351a c86f1230c6082ff9523687228dba0424dc9e6ac9c7a6c066ae497b994ea71540
create index checkouts_by_time on checkouts (created_ms);

-- 7f7f726aa03fc7b54a67350f05030ec3e74351d7f0fa4df9fccddad840a70f89 d1c7d9105062f7429316d149da5ec5fcf7fc18933e6aaaa4c78eedbab2b98b5f
alter table accounts drop column contact_email;
