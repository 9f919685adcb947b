-- What lasts has one owner, also when two accounts are given the same name in the same moment. Simulated vendors give out
-- the same names again and again.

create unique index vendor_references_one_owner on vendor_references (service, reference) where lasts and not is_test;
