-- create table commented (id int);
CREATE TABLE IF NOT EXISTS shop.users (
  id integer PRIMARY KEY -- create index no on x
);
create unique index users_by_name on users (name);
/* create view hidden as
create table hidden2 (x int); */
CREATE OR REPLACE VIEW "active users" AS SELECT 1;
create materialized view if not exists totals as select 2;
CREATE FUNCTION add(a int, b int) RETURNS int AS $$ SELECT a + b $$ LANGUAGE sql;
create type color as enum ('red');
INSERT INTO users VALUES (1);
ALTER TABLE users ADD x int;
create trigger stamp before update on users execute procedure stamp();
